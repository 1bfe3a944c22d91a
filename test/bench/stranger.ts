// A stranger who sends large bodies and signs in, many times at once, from a process of their own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';

const SCRIPT = fileURLToPath(new URL('stranger-process.mjs', import.meta.url));

export type Flood = {
  /** Paths that so many `bytes` are sent to. */
  bodies: string[];
  bytes: number;
  forms: { path: string; fields: Record<string, string> }[];
};
export type Stranger = {
  /** Sends everything at once. @returns how many answers of each status came, when the last one is there */
  send(): Promise<Record<string, number>>;
};

/** A stranger who is ready. */
export async function startStranger(bench: Bench, base: string, flood: Flood): Promise<Stranger> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify({ base, ...flood })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  bench.afterwards(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  return {
    async send() {
      child.stdin.write('now\n');
      const [line] = (await once(lines, 'line')) as [string];
      return JSON.parse(line) as Record<string, number>;
    },
  };
}
