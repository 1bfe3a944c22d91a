// The first read of a whole competition after a save: somebody has to wait for it to be put together.
import { Agent } from 'node:http';
import { inMs } from '../../helpers/figures.ts';
import { request } from '../request.ts';
import { interleaved, median, type Row } from '../row.ts';
import { startServer } from '../server.ts';
import { create, idOf, nextBig, pageOf } from '../upload.ts';

export const firstRead: Row = {
  row: 7,
  name: 'whole document of big, gzip, first read after a write | JSON.stringify of it',
  unit: 'ms',
  target: { atMost: 5 },
  async measure(bench) {
    const server = await startServer(bench);
    const competition = nextBig(bench);
    const unitPath = `/competitions/${idOf(await create(server.api, competition))}/events/T01/units/1/1`;
    const url = `${server.baseUrl}${pageOf(competition)}/json/`;
    const agent = new Agent({ keepAlive: true });
    bench.afterwards(() => agent.destroy());
    let saves = 0;
    const readAfterSave = async (headers: Record<string, string>) => {
      saves += 1;
      await server.api('PATCH', unitPath, JSON.stringify({ scheduled_start_time: String(saves) }));
      return (await request({ url, agent, headers })).ms;
    };
    const parsed: unknown = JSON.parse((await request({ url, agent })).body.toString());
    const plain: number[] = [];
    const { values, floors } = await interleaved(
      bench.effort.rounds,
      async () => {
        plain.push(await readAfterSave({}));
        return readAfterSave({ 'accept-encoding': 'gzip' });
      },
      async () => {
        const startMs = performance.now();
        JSON.stringify(parsed);
        return performance.now() - startMs;
      },
    );
    return { value: median(values), floor: median(floors), notes: [`without gzip ${inMs(median(plain))}`] };
  },
};
