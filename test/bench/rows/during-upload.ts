// What others notice of a large upload: how long reads and saves take at worst meanwhile, against the same with nobody uploading.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { interleaved, median, type Row } from '../row.ts';
import { type BenchServer, startServer } from '../server.ts';
import { type Act, p99, timesWhile, unitReads, unitSaves } from '../steadily.ts';
import { bodyOf, createFrom, nextBig } from '../upload.ts';

const UPLOADS = 2;

export const readsDuringUpload: Row = {
  row: 13,
  name: 'p99 of unit reads while big is uploaded | the same when idle',
  unit: 'ms',
  target: { atMost: 5 },
  measure: (bench) => duringUploads(bench, unitReads),
};

export const savesDuringUpload: Row = {
  row: 14,
  name: 'p99 of unit saves in another competition while big is uploaded | the same when idle',
  unit: 'ms',
  target: { atMost: 5 },
  measure: (bench) => duringUploads(bench, unitSaves),
};

async function duringUploads(bench: Bench, actOf: (bench: Bench, server: BenchServer) => Promise<Act>) {
  const server = await startServer(bench);
  const act = await actOf(bench, server);
  const uploading: number[] = [];
  const { values, floors } = await interleaved(
    bench.effort.rounds,
    () => {
      const bodies = Array.from({ length: UPLOADS }, () => bodyOf(nextBig(bench)));
      return timesWhile(act, async () => {
        for (const body of bodies) uploading.push((await createFrom(server.api, body)).ms);
      });
    },
    () => timesWhile(act, () => sleep(bench.effort.seconds * 1000)),
  );
  return {
    value: p99(values),
    floor: p99(floors),
    notes: [`an upload took ${Math.round(median(uploading))} ms`],
  };
}
