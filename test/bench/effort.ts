// How much the benchmark does: enough for figures, or just enough to see that it works.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { built } from '../helpers/program.ts';
import type { Effort } from './bench.ts';
import { BIG, SMALL } from './shapes.ts';

/** The program as operators run it. */
export const THOROUGH: Effort = {
  rounds: 5,
  seconds: 1,
  big: BIG,
  listed: { all: 20_000, asked: 303 },
  serverArgs: startArguments(),
};

export const QUICK: Effort = {
  rounds: 1,
  seconds: 1,
  big: SMALL,
  listed: { all: 1000, asked: 30 },
  serverArgs: [built('src/main.ts')],
};

function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split('&& node ')[1]!.split(' ');
}

export function buildProgram(): void {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
