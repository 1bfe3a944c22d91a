// Commands run in this process: on the dependencies of a test, on those that an environment names, or on none.
import { PassThrough } from 'node:stream';
import { runCli } from '../../src/cli/program.ts';
import type { Io } from '../../src/cli/run.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import type { Environment } from './program.ts';

type World = Pick<Io, 'env' | 'createDeps'>;

async function runLine(world: World, line: string[], typed = '') {
  const out: string[] = [];
  const err: string[] = [];
  const stdin = new PassThrough();
  stdin.end(typed);
  const code = await runCli(line, {
    ...world,
    stdin,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** Runs a command line. */
export const runCommand = (deps: Deps, ...line: string[]) =>
  runLine({ env: {}, createDeps: async () => ({ deps, close: async () => {} }) }, line);

/** Runs a command line as a process of its own would: what it needs is opened and closed. */
export const runCommandAt = (env: Environment, ...line: string[]) => runLine({ env, createDeps }, line);

/** Runs a command line of those that need no database. @param typed comes from its standard input */
export const runApart = (line: string[], typed = '') =>
  runLine({ env: {}, createDeps: () => Promise.reject(new Error('It needs no database')) }, line, typed);

/** Runs it with --json, and expects that to succeed. */
// oxlint-disable-next-line typescript/no-explicit-any -- compared with what is expected, never trusted
export async function commandAnswer(deps: Deps, ...line: string[]): Promise<any> {
  const { code, out, err } = await runCommand(deps, ...line, '--json');
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}
