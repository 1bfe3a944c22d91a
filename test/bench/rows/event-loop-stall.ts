// How long everybody else waits while a large upload is dealt with.
import { inMs } from '../../helpers/figures.ts';
import { interleaved, median, type Row } from '../row.ts';
import { askerOf, startServer, WATCHED } from '../server.ts';
import { create, nextBig } from '../upload.ts';

export const eventLoopStall: Row = {
  row: 4,
  name: 'longest stall of the event loop during an upload of big | JSON.parse of the body',
  unit: 'ms',
  // 0.3 is the aim. With clients, Postgres and the upload on two processors a process that does nothing stands still for 0.2 to 0.3.
  target: { atMost: 0.4 },
  async measure(bench) {
    const server = await startServer(bench);
    const ask = askerOf(bench.program('test/bench/idle-process.mjs', {}, WATCHED));
    const idleStallMs = () => ask('stall');
    const beside: number[] = [];
    const body = JSON.stringify(nextBig(bench));
    const value = async () => {
      await Promise.all([server.longestStallMs(), idleStallMs()]);
      await create(server.api, nextBig(bench));
      beside.push(await idleStallMs());
      return server.longestStallMs();
    };
    const floor = async () => {
      const startMs = performance.now();
      JSON.parse(body);
      return performance.now() - startMs;
    };
    const { values, floors } = await interleaved(bench.effort.rounds, value, floor);
    const notes = [
      `at most ${inMs(Math.max(...values))}`,
      `of a process that does nothing meanwhile ${inMs(median(beside))}: what is the machine's`,
    ];
    return { value: median(values), floor: median(floors), notes };
  },
};
