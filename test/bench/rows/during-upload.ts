// What others notice of a large upload: how long reads and saves take at worst meanwhile, against the same with nobody uploading.
// Saves share Postgres, its disk and the processors with the upload, wherever it is dealt with: theirs are held against those at
// another process of the service, which does not receive the upload.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { interleaved, median, type Row } from '../row.ts';
import { type BenchServer, startServer } from '../server.ts';
import { type Act, p99, timesIdleNote, timesWhile, unitReads, unitSaves } from '../steadily.ts';
import { bodyOf, createFrom, nextBig } from '../upload.ts';

const UPLOADS = 2;

export const readsDuringUpload: Row = {
  row: 13,
  name: 'p99 of unit reads while big is uploaded | the same when idle',
  unit: 'ms',
  target: { atMost: 5 },
  async measure(bench) {
    const server = await startServer(bench);
    const { times, notes } = await duringUploads(bench, server, [await unitReads(bench, server)]);
    const [{ busy, idle }] = times as [Times];
    return { value: busy, floor: idle, notes };
  },
};

/** How many times idle saves should take at most. */
const AIM = 5;

export const savesDuringUpload: Row = {
  row: 14,
  name: 'p99 of unit saves while big is uploaded into another competition | the same at a replica that does not receive it',
  unit: 'ms',
  target: { atMost: 1.5 },
  async measure(bench) {
    const server = await startServer(bench);
    const replica = await startServer(bench, { databaseUrl: server.databaseUrl });
    const saves = [await unitSaves(server, 'here'), await unitSaves(replica, 'there')];
    const { times, notes } = await duringUploads(bench, server, saves);
    const [here, there] = times as [Times, Times];
    const note = timesIdleNote(timesIdle(here), AIM, { times: timesIdle(there), at: 'the replica' });
    return { value: here.busy, floor: there.busy, notes: [...notes, note] };
  },
};

type Times = { busy: number; idle: number };
const timesIdle = ({ busy, idle }: Times): number => busy / idle;

/** Acts take turns. @returns the p99 of each during uploads and without, ms */
async function duringUploads(bench: Bench, server: BenchServer, acts: Act[]) {
  const uploading: number[] = [];
  const inTurn = async (work: () => Promise<unknown>): Promise<number[][]> => {
    let count = 0;
    const ms = await timesWhile(() => acts[count++ % acts.length]!(), work);
    return acts.map((_, act) => ms.filter((_, index) => index % acts.length === act));
  };
  const { values, floors } = await interleaved(
    bench.effort.rounds,
    () => {
      const bodies = Array.from({ length: UPLOADS }, () => bodyOf(nextBig(bench)));
      return inTurn(async () => {
        for (const body of bodies) uploading.push((await createFrom(server.api, body)).ms);
      });
    },
    () => inTurn(() => sleep(bench.effort.seconds * 1000)),
  );
  return {
    times: acts.map((_, act): Times => ({ busy: ofAct(values, act), idle: ofAct(floors, act) })),
    notes: [`an upload took ${Math.round(median(uploading))} ms`],
  };
}

const ofAct = (rounds: number[][][], act: number): number => p99(rounds.map((round) => round[act]!));
