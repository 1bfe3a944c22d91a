// Programs of this repository as processes of their own, started and watched.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const BUILT = join(ROOT, 'node_modules/.cache/athletics-programs');
const PATIENCE_MS = 60_000;

export type Environment = Record<string, string>;
export type Program = ReturnType<typeof startCommand>;

/** A program as it is built for tests. */
export const built = (source: string): string => join(BUILT, source.replace(/\.tsx?$/, '.js'));

type Command = { command: string; args: string[]; env: Environment; cwd?: string; detached?: boolean };

/** Starts a script with Node, in the root of the repository. */
export const startProgram = (
  script: string,
  env: Environment,
  args: string[] = [],
  nodeArgs: string[] = [],
) => startCommand({ command: process.execPath, args: [...nodeArgs, script, ...args], env });

/** Starts a command with this environment and nothing else of the caller's own. */
export function startCommand({ command, args, env, cwd = ROOT, detached = false }: Command) {
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: process.env['TMPDIR'] };
  const child = spawn(command, args, { cwd, detached, env: { ...inherited, ...env } });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  let over = false;
  const ended = once(child, 'close').then(([code]): unknown => {
    over = true;
    return code;
  });
  return {
    pid: child.pid!,
    written,
    /** Writes to its standard input. */
    say: (text: string) => void child.stdin.write(text),
    /** The exit code, when it has ended by itself or by a signal it handles. */
    ended,
    async kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT') {
      child.kill(signal);
      return ended;
    },
    /** Waits for what it prints. */
    until: (pattern: RegExp) => untilWritten(written, pattern, () => over),
  };
}

/** Waits until a program has written this. */
export async function untilWritten(
  written: { stdout: string; stderr: string },
  pattern: RegExp,
  isOver = () => false,
): Promise<RegExpExecArray> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const match = pattern.exec(written.stdout);
    if (match) return match;
    if (performance.now() > deadline || isOver())
      throw new Error(`${pattern} not in:\n${written.stdout}${written.stderr}`);
    await sleep(20);
  }
}
