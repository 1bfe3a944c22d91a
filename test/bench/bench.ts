// What rows are measured on: Postgres with stock settings, real servers on free ports. All of it is gone afterwards.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { startEmbeddedPostgres } from '../../src/db/embedded/postgres.ts';
import { type Environment, type Program, startProgram } from '../helpers/program.ts';
import { onDatabase, runSql } from '../helpers/sql.ts';
import { makeTestFolder, sweepTestFolders } from '../helpers/temporary.ts';
import { pino } from 'pino';
import type { Shape } from './shapes.ts';

/** How much is done for a figure. */
export type Effort = {
  /** Rounds that count, of value and floor each. */
  rounds: number;
  /** How long a round lasts in which requests are counted. */
  seconds: number;
  big: Shape;
  /** The competitions of the list, and those that it is asked for. */
  listed: { all: number; asked: number };
  /** Runs the server: node's arguments with the program last. */
  serverArgs: string[];
};

/** What one row is measured with. What it starts and makes ends with the row. */
export type Bench = {
  effort: Effort;
  /** An empty database of its own. */
  database(): Promise<string>;
  folder(): Promise<string>;
  program(script: string, env: Environment, nodeArgs?: string[]): Program;
  /** Runs when the row is done, last come first. */
  afterwards(work: () => unknown): void;
};

export type BenchRun = {
  /** Measures with a bench of its own. */
  measure<Result>(work: (bench: Bench) => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
};

const WITH_TYPESCRIPT = ['--import', 'tsx'];

type Works = { add: (work: () => unknown) => void; runAll: () => Promise<void> };

/** Starts Postgres. Signals that end the process stop everything first. */
export async function startBench(effort: Effort): Promise<BenchRun> {
  const whole = stack();
  let current = stack();
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= current.runAll().then(() => whole.runAll()));
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    // Not once: tsx passes the signal of a Ctrl-C on, which so comes twice.
    const interrupted = () => void stop().finally(() => process.exit(code));
    process.on(signal, interrupted);
    whole.add(() => process.off(signal, interrupted));
  }
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? (await startPostgres(whole));
  return {
    stop,
    async measure(work) {
      current = stack();
      try {
        return await work(benchOf(effort, adminUrl, current));
      } finally {
        await current.runAll();
      }
    },
  };
}

function benchOf(effort: Effort, adminUrl: string, works: Works): Bench {
  return {
    effort,
    afterwards: works.add,
    async database() {
      const name = `athletics_bench_${randomBytes(4).toString('hex')}`;
      await runSql(adminUrl, `create database ${name}`);
      works.add(() => runSql(adminUrl, `drop database if exists ${name} with (force)`));
      return onDatabase(adminUrl, name);
    },
    async folder() {
      const folder = await makeTestFolder();
      works.add(() => rm(folder, { recursive: true, force: true }));
      return folder;
    },
    program(script, env, nodeArgs = WITH_TYPESCRIPT) {
      const started = startProgram(script, env, [], nodeArgs);
      works.add(() => started.kill('SIGKILL'));
      return started;
    },
  };
}

// What is added while it runs, or after, is done as well: a signal may come at any moment.
function stack(): Works {
  const works: (() => unknown)[] = [];
  let running: Promise<void> | undefined;
  const run = async () => {
    for (let work = works.pop(); work; work = works.pop()) await work();
  };
  return {
    add(work) {
      works.push(work);
      if (running) running = running.then(run);
    },
    runAll: () => (running = (running ?? Promise.resolve()).then(run)),
  };
}

async function startPostgres(whole: Works): Promise<string> {
  await sweepTestFolders();
  const folder = await makeTestFolder();
  whole.add(() => rm(folder, { recursive: true, force: true }));
  const log = pino({ level: 'warn' }, process.stderr);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  whole.add(() => postgres.stop());
  return postgres.ownerUrl;
}
