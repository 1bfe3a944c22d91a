// What others notice of a stranger: how long reads and saves take at worst while bodies that are refused and sign-ins that fail
// come in crowds. Strangers, readers, Postgres and hashes share the processors: how many times idle the worst reads take
// says as much of the machine as of the service. So reads are held against those of the least server there is, under the same.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { request } from '../request.ts';
import { interleaved, type Measured, type Row } from '../row.ts';
import { type BenchServer, startServer } from '../server.ts';
import { type Act, p99, readsOf, storedUnit, timesIdleNote, timesWhile, unitSaves } from '../steadily.ts';
import { type Flood, startStranger } from '../stranger.ts';

const SIGN_IN = '/api/v1/auth/token';
const PATHS = [SIGN_IN, '/api/v1/competitions/', '/api/v1/competitions/test', '/nowhere'];
const BODIES = 20;
const MEGABYTES = 60;
const SIGN_INS = 100;

const signIns = Array.from({ length: SIGN_INS }, (_, index) => ({
  path: SIGN_IN,
  fields: { username: `guess-${index}@example.org`, password: `guessed password ${index}` },
}));
const guesses: Flood = { bodies: [], bytes: 0, forms: signIns };
const everything: Flood = {
  bodies: Array.from({ length: BODIES }, (_, index) => PATHS[index % PATHS.length]!),
  bytes: MEGABYTES * 1_000_000,
  forms: signIns,
};
const FLOOD = `while a stranger sends ${BODIES} bodies of ${MEGABYTES} MB and ${SIGN_INS} sign-ins at once`;

export const readsUnderAttack: Row = {
  row: 23,
  name: `p99 of unit reads ${FLOOD} | the same at a bare server that hashes as many`,
  unit: 'ms',
  target: { atMost: 1.5 },
  measure: (bench) => readsUnder(bench, everything, { aim: 3 }),
};

export const savesUnderAttack: Row = {
  row: 24,
  name: `p99 of unit saves ${FLOOD} | the same when idle`,
  unit: 'ms',
  target: null,
  async measure(bench) {
    const server = await startServer(bench);
    const act = await unitSaves(server);
    const { values, floors } = await interleaved(
      bench.effort.rounds,
      () => during(bench, { act, baseUrl: server.baseUrl, flood: everything }),
      () => idly(bench, act),
    );
    return { value: p99Of(values), floor: p99(floors), notes: [answered(values.at(-1)!)] };
  },
};

export const readsDuringSignIns: Row = {
  row: 25,
  name: `p99 of unit reads during ${SIGN_INS} sign-ins at once | the same at a bare server that hashes as many`,
  unit: 'ms',
  target: { atMost: 1.5 },
  measure: (bench) => readsUnder(bench, guesses, { aim: 2 }),
};

/** @param aim how many times idle reads should take at most */
async function readsUnder(bench: Bench, flood: Flood, { aim }: { aim: number }): Promise<Measured> {
  const server = await startServer(bench);
  const url = await storedUnit(bench, server);
  const bare = await bareServer(bench, server, url);
  const act = readsOf(bench, url);
  const bareAct = readsOf(bench, bare);
  const idle: number[][] = [];
  const bareIdle: number[][] = [];
  const { values, floors } = await interleaved(
    bench.effort.rounds,
    async () => {
      idle.push(await idly(bench, act));
      return during(bench, { act, baseUrl: server.baseUrl, flood });
    },
    async () => {
      bareIdle.push(await idly(bench, bareAct));
      return during(bench, { act: bareAct, baseUrl: bare, flood });
    },
  );
  const [value, floor] = [p99Of(values), p99Of(floors)];
  const notes = [
    answered(values.at(-1)!),
    timesIdleNote(timesIdle(value, idle), aim, { times: timesIdle(floor, bareIdle), at: 'the bare server' }),
  ];
  return { value, floor, notes };
}

// The first round does not count.
const timesIdle = (ms: number, [, ...idle]: number[][]) => ms / p99(idle);

async function bareServer(bench: Bench, { databaseUrl }: BenchServer, url: string): Promise<string> {
  const page = await request({ url, agent: new Agent() });
  const bare = bench.program('test/bench/bare-server-process.ts', {
    DATABASE_URL: databaseUrl,
    PAGE_BYTES: String(page.body.length),
  });
  const [, baseUrl] = await bare.until(/Listening at (\S+)/);
  return baseUrl!;
}

type Flooded = { ms: number[]; floodMs: number; answers: Record<string, number> };

const p99Of = (floods: Flooded[]): number => p99(floods.map(({ ms }) => ms));

async function during(
  bench: Bench,
  { act, baseUrl, flood }: { act: Act; baseUrl: string; flood: Flood },
): Promise<Flooded> {
  const stranger = await startStranger(bench, baseUrl, flood);
  const startMs = performance.now();
  let answers: Record<string, number> = {};
  const ms = await timesWhile(act, async () => {
    answers = await stranger.send();
  });
  return { ms, floodMs: performance.now() - startMs, answers };
}

const idly = (bench: Bench, act: Act) => timesWhile(act, () => sleep(bench.effort.seconds * 1000));

function answered({ floodMs, answers }: Flooded): string {
  const times = Object.entries(answers).map(([status, count]) => `${count} times ${status}`);
  return `answered in ${Math.round(floodMs)} ms: ${times.join(', ')}`;
}
