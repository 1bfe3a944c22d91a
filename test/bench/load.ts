// Load from a process of its own: as many requests as a number of connections can make, one after the other on each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';

const SCRIPT = fileURLToPath(new URL('load-process.mjs', import.meta.url));

export type Load = { url: string; connections: number; headers?: Record<string, string>; status?: number };

/** @returns answers per second. @throws when one of them is not of the status expected */
export async function requestsPerSecond(bench: Bench, { status = 200, ...load }: Load): Promise<number> {
  const { seconds } = bench.effort;
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify({ ...load, seconds })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  bench.afterwards(() => child.kill('SIGKILL'));
  const [written] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const answers = JSON.parse(written || '{"none": 1}') as Record<string, number>;
  const { [status]: expected = 0, ...others } = answers;
  if (Object.keys(others).length > 0) throw new Error(`${load.url} under load answers ${written}`);
  return expected / seconds;
}
