// Commands run in this process, on the dependencies of a test.
import { PassThrough } from 'node:stream';
import { runCli } from '../../src/cli/program.ts';
import type { Deps } from '../../src/deps.ts';

/** Runs a command line. */
export async function runCommand(deps: Deps, ...line: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const stdin = new PassThrough();
  stdin.end('');
  const code = await runCli(line, {
    env: {},
    createDeps: async () => ({ deps, close: async () => {} }),
    stdin,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** Runs it with --json, and expects that to succeed. */
// oxlint-disable-next-line typescript/no-explicit-any -- compared with what is expected, never trusted
export async function commandAnswer(deps: Deps, ...line: string[]): Promise<any> {
  const { code, out, err } = await runCommand(deps, ...line, '--json');
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}
