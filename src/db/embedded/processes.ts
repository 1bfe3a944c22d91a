// Facts about processes of this machine, and running a program as another user.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

export type SystemUser = { name: string; uid: number; gid: number };

export class ProgramFailed extends Error {
  readonly output: string;
  constructor(program: string, output: string, options: ErrorOptions) {
    super(`${program} failed: ${output}`, options);
    this.output = output;
  }
}

/** Runs a program to its end and returns what it printed. @throws ProgramFailed with everything it said */
export function run(program: string, args: string[], user?: SystemUser): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, runOptions(user), (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim() || error?.message;
      if (error) reject(new ProgramFailed(program, output ?? '', { cause: error }));
      else resolve(stdout);
    });
  });
}

/**
 * The smallest environment Postgres needs: its messages are English whatever the locale is, and our secrets stay ours.
 * Started from the root folder, because the present one may be closed to `user`.
 */
export function runOptions(user?: SystemUser) {
  const kept = [
    'PATH',
    'TMPDIR',
    'SystemRoot',
    'TEMP',
    'TMP',
    'LD_LIBRARY_PATH',
    'NIX_LD',
    'NIX_LD_LIBRARY_PATH',
  ];
  const env: Record<string, string> = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of kept) if (process.env[name] !== undefined) env[name] = process.env[name];
  return { env, cwd: '/', ...(user && { uid: user.uid, gid: user.gid }) };
}

/** The name of a system error: ENOENT, EACCES, ... */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** True while a process of this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** A value that differs between two processes that were given the same id; undefined when no such process exists. */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'win32') return 'unknown';
  if (process.platform !== 'linux') return await ps('lstart=', pid);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // proc(5): the name in brackets may hold anything; the start time is field 22, the 20th after it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** The arguments a process was started with, joined by blanks; undefined when they cannot be known. */
export async function commandOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') return await ps('command=', pid);
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return line?.replaceAll('\0', ' ');
}

async function ps(column: string, pid: number): Promise<string | undefined> {
  const text = await run('ps', ['-ww', '-o', column, '-p', String(pid)]).catch(() => undefined);
  return text?.trim();
}
