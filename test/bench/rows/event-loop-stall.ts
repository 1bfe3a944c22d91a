// How long everybody else waits while a large upload is dealt with.
import { inMs } from '../../helpers/figures.ts';
import { interleaved, median, type Row } from '../row.ts';
import { startServer } from '../server.ts';
import { create, nextBig } from '../upload.ts';

export const eventLoopStall: Row = {
  row: 4,
  name: 'longest stall of the event loop during an upload of big | JSON.parse of the body',
  unit: 'ms',
  target: { atMost: 0.3 },
  async measure(bench) {
    const server = await startServer(bench);
    const body = JSON.stringify(nextBig(bench));
    const value = async () => {
      await server.longestStallMs();
      await create(server.api, nextBig(bench));
      return server.longestStallMs();
    };
    const floor = async () => {
      const startMs = performance.now();
      JSON.parse(body);
      return performance.now() - startMs;
    };
    const { values, floors } = await interleaved(bench.effort.rounds, value, floor);
    return { value: median(values), floor: median(floors), notes: [`at most ${inMs(Math.max(...values))}`] };
  },
};
