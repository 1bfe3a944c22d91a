// How much the benchmark does: enough for figures, or just enough to see that it works.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Effort } from './bench.ts';
import { BIG, SMALL } from './shapes.ts';

/** The program as operators run it. */
export const THOROUGH: Effort = {
  rounds: 5,
  seconds: 1,
  big: BIG,
  listed: { all: 20_000, asked: 303 },
  serverArgs: ['dist/main.js'],
};

export const QUICK: Effort = {
  rounds: 1,
  seconds: 1,
  big: SMALL,
  listed: { all: 1000, asked: 30 },
  serverArgs: ['--import', 'tsx', 'src/main.ts'],
};

export function buildProgram(): void {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
