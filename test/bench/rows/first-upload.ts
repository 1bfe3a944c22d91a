// A whole competition that the service has not seen, from sending until it is created.
import { setTimeout as sleep } from 'node:timers/promises';
import { inMs } from '../../helpers/figures.ts';
import { runSql } from '../../helpers/sql.ts';
import type { Bench } from '../bench.ts';
import { copyFloor } from '../copy-floor.ts';
import { interleaved, median, type Row } from '../row.ts';
import { type BenchServer, startServer } from '../server.ts';
import { create, createPushing, nextBig } from '../upload.ts';

export const firstUpload: Row = {
  row: 1,
  name: 'first upload of big over HTTP, until 201 | COPY into normalised tables',
  unit: 'ms',
  // 0.8 is the aim, met where the disk and both processors are free (0.65 to 0.79). Reading and judging the body, before Postgres is
  // asked, takes a quarter of the time, Postgres half; no function of the upload's thread takes more than 9 % of what it computes.
  target: { atMost: 0.9 },
  async measure(bench) {
    const server = await startServer(bench);
    const floor = await copyFloor(bench, nextBig(bench));
    const value = async () => (await create(server.api, nextBig(bench))).ms;
    const { values, floors } = await interleaved(bench.effort.rounds, value, floor);
    const pushing = await uploadsWithPush(bench, server);
    const notes = [
      `with push on ${inMs(median(pushing))}, ratio ${(median(pushing) / median(floors)).toFixed(2)}`,
    ];
    return { value: median(values), floor: median(floors), notes };
  },
};

async function uploadsWithPush(bench: Bench, server: BenchServer): Promise<number[]> {
  const all: number[] = [];
  for (let round = 0; round < Math.min(3, bench.effort.rounds); round += 1) {
    const competition = nextBig(bench);
    const path = await createPushing(server.api, competition);
    all.push((await server.api('POST', path, JSON.stringify(competition))).ms);
    await published(server);
  }
  return all;
}

/** Until nothing waits to be published. */
export async function published({ databaseUrl }: BenchServer): Promise<void> {
  for (;;) {
    const [row] = await runSql(databaseUrl, 'select count(*) as waiting from outbox');
    if (Number(row!['waiting']) === 0) return;
    await sleep(50);
  }
}
