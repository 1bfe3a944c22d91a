// What others notice of a stranger: how long reads and saves take at worst while bodies that are refused and sign-ins that fail
// come in crowds, against the same with nobody there.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { interleaved, type Row } from '../row.ts';
import { type BenchServer, startServer } from '../server.ts';
import { type Act, p99, timesWhile, unitReads, unitSaves } from '../steadily.ts';
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
  name: `p99 of unit reads ${FLOOD} | the same when idle`,
  unit: 'ms',
  target: { atMost: 3 },
  measure: async (bench) => underAttack(bench, unitReads, everything, await plainServer(bench)),
};

export const savesUnderAttack: Row = {
  row: 24,
  name: `p99 of unit saves ${FLOOD} | the same when idle`,
  unit: 'ms',
  target: null,
  measure: (bench) => underAttack(bench, unitSaves, everything),
};

export const readsDuringSignIns: Row = {
  row: 25,
  name: `p99 of unit reads during ${SIGN_INS} sign-ins at once | the same when idle`,
  unit: 'ms',
  target: { atMost: 2 },
  measure: async (bench) => underAttack(bench, unitReads, guesses, await plainServer(bench)),
};

async function plainServer(bench: Bench): Promise<string> {
  const plain = bench.program('test/bench/plain-sign-in-process.ts', {});
  const [, baseUrl] = await plain.until(/Listening at (\S+)/);
  return baseUrl!;
}

/** @param beside another server, at which the same is sent while the acts go on here: what of it is the machine's */
async function underAttack(
  bench: Bench,
  actOf: (bench: Bench, server: BenchServer) => Promise<Act>,
  flood: Flood,
  beside?: string,
) {
  const server = await startServer(bench);
  const act = await actOf(bench, server);
  const besides: number[][] = [];
  const floods: { ms: number; answers: Record<string, number> }[] = [];
  const { values, floors } = await interleaved(
    bench.effort.rounds,
    async () => {
      const stranger = await startStranger(bench, server.baseUrl, flood);
      return timesWhile(act, async () => {
        const startMs = performance.now();
        const answers = await stranger.send();
        floods.push({ ms: performance.now() - startMs, answers });
      });
    },
    async () => {
      if (beside !== undefined) {
        const stranger = await startStranger(bench, beside, flood);
        besides.push(await timesWhile(act, () => stranger.send()));
      }
      return timesWhile(act, () => sleep(bench.effort.seconds * 1000));
    },
  );
  const { ms, answers } = floods.at(-1)!;
  const times = Object.entries(answers).map(([status, count]) => `${count} times ${status}`);
  return {
    value: p99(values),
    floor: p99(floors),
    notes: [`answered in ${Math.round(ms)} ms: ${times.join(', ')}`, ...noteOf(besides, p99(floors))],
  };
}

// The first round does not count.
function noteOf([, ...besides]: number[][], idle: number): string[] {
  if (besides.length === 0) return [];
  const ratio = (p99(besides) / idle).toPrecision(2);
  return [`the same sent to a bare server beside it, which hashes as many: ${ratio} times idle`];
}
