// What a server takes while everybody reads whole competitions, against what it takes idle and what it has to hold.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { residentBytes } from '../../helpers/memory.ts';
import type { Bench } from '../bench.ts';
import { request } from '../request.ts';
import { median, type Row } from '../row.ts';
import { startServer } from '../server.ts';
import { create, nextBig, pageOf } from '../upload.ts';

const COMPETITIONS = 20;
const CLIENTS = 50;
const MEGABYTE = 1024 * 1024;
const GZIP = { 'accept-encoding': 'gzip' };

export const memory: Row = {
  row: 12,
  name: `resident memory, ${CLIENTS} clients read whole documents of ${COMPETITIONS} big competitions | idle + the gzip bodies`,
  unit: 'MB',
  target: { atMost: 2 },
  async measure(bench) {
    const { databaseUrl, paths } = await uploadAll(bench);
    const values: number[] = [];
    const floors: number[] = [];
    const idle: number[] = [];
    for (let round = 0; round < bench.effort.rounds; round += 1) {
      const server = await startServer(bench, { databaseUrl });
      idle.push(await residentBytes(server.pid));
      const { peak, bodies } = await readAll(
        bench,
        server.pid,
        paths.map((path) => server.baseUrl + path),
      );
      values.push(peak);
      floors.push(idle[round]! + bodies);
      await server.stop();
    }
    const notes = [`idle ${inMegabytes(median(idle))} MB`];
    return { value: inMegabytes(median(values)), floor: inMegabytes(median(floors)), notes };
  },
};

const inMegabytes = (bytes: number) => Math.round(bytes / MEGABYTE);

// By another server than those that are measured: uploads leave their traces in a process.
async function uploadAll(bench: Bench): Promise<{ databaseUrl: string; paths: string[] }> {
  const server = await startServer(bench);
  const paths: string[] = [];
  for (let n = 0; n < COMPETITIONS; n += 1) {
    const competition = nextBig(bench);
    await create(server.api, competition);
    paths.push(`${pageOf(competition)}/json/`);
  }
  await server.stop();
  return { databaseUrl: server.databaseUrl, paths };
}

/** Every client reads one document after the other, until each has been read and the time of a round is over. */
async function readAll(bench: Bench, pid: number, urls: string[]): Promise<{ peak: number; bodies: number }> {
  const agent = new Agent({ keepAlive: true });
  const gzipBytes = new Map<string, number>();
  let timeOver = false;
  const over = () => timeOver && gzipBytes.size === urls.length;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = client; !over(); n += 1) {
      const url = urls[n % urls.length]!;
      const { headers, body } = await request({ url, agent, headers: GZIP });
      if (!gzipBytes.has(url))
        gzipBytes.set(url, (headers['content-encoding'] === 'gzip' ? body : gzipSync(body)).length);
    }
  });
  const reading = Promise.all(clients).then(() => true);
  void sleep(bench.effort.seconds * 1000).then(() => (timeOver = true));
  let peak = 0;
  do peak = Math.max(peak, await residentBytes(pid));
  while (!(await Promise.race([reading, sleep(20, false)])));
  agent.destroy();
  return { peak, bodies: [...gzipBytes.values()].reduce((sum, bytes) => sum + bytes, 0) };
}
