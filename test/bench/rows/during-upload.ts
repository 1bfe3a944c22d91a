// What others notice of a large upload: how long reads and saves take at worst meanwhile, against the same with nobody uploading.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../helpers/figures.ts';
import type { Bench } from '../bench.ts';
import { request } from '../request.ts';
import { interleaved, median, type Row } from '../row.ts';
import { type BenchServer, startServer } from '../server.ts';
import { create, nextBig, pageOf } from '../upload.ts';
import { createCompetition, results } from './unit-save.ts';

const PER_SECOND = 100;
const UPLOADS = 2;

/** Does one thing, again and again. @returns how long it took */
type Act = () => Promise<number>;

export const readsDuringUpload: Row = {
  row: 13,
  name: 'p99 of unit reads while big is uploaded | the same when idle',
  unit: 'ms',
  target: { atMost: 5 },
  measure: (bench) =>
    duringUploads(bench, async (server) => {
      const competition = nextBig(bench);
      await create(server.api, competition);
      const url = `${server.baseUrl}${pageOf(competition)}/event/T01/1/1/json/`;
      const agent = new Agent({ keepAlive: true });
      bench.afterwards(() => agent.destroy());
      return async () => (await request({ url, agent })).ms;
    }),
};

export const savesDuringUpload: Row = {
  row: 14,
  name: 'p99 of unit saves in another competition while big is uploaded | the same when idle',
  unit: 'ms',
  target: { atMost: 5 },
  measure: (bench) =>
    duringUploads(bench, async ({ api }) => {
      const unit = `${await createCompetition(api, 'other')}/events/T1/units/1/1`;
      let saves = 0;
      return async () => (await api('PATCH', unit, results((saves += 1)))).ms;
    }),
};

async function duringUploads(bench: Bench, actOf: (server: BenchServer) => Promise<Act>) {
  const server = await startServer(bench);
  const act = await actOf(server);
  const uploading: number[] = [];
  const { values, floors } = await interleaved(
    bench.effort.rounds,
    () =>
      p99While(act, async () => {
        for (let upload = 0; upload < UPLOADS; upload += 1)
          uploading.push((await create(server.api, nextBig(bench))).ms);
      }),
    () => p99While(act, () => sleep(bench.effort.seconds * 1000)),
  );
  return {
    value: median(values),
    floor: median(floors),
    notes: [`an upload took ${Math.round(median(uploading))} ms`],
  };
}

/** At a steady rate, whether or not answers have come. */
async function p99While(act: Act, work: () => Promise<unknown>): Promise<number> {
  const working = work().then(() => true);
  const acting: Promise<number>[] = [];
  const startMs = performance.now();
  let over = false;
  while (!over) {
    acting.push(act());
    const nextMs = startMs + (acting.length * 1000) / PER_SECOND;
    over = await Promise.race([working, sleep(Math.max(0, nextMs - performance.now()), false)]);
  }
  return percentile(await Promise.all(acting), 0.99);
}
