// The first reading of a page: what it takes of the server's processor to draw it, beside JSON.stringify of what it shows.
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { inMs } from '../../helpers/figures.ts';
import { MEETING, MEETING_PATH } from '../../screenshots/meeting.ts';
import type { Bench } from '../bench.ts';
import { request } from '../request.ts';
import { interleaved, median, type Row } from '../row.ts';
import { startServer } from '../server.ts';
import { create, nextBig, pageOf } from '../upload.ts';

const LIMIT_MS = { unit: 3, competition: 30 };
const READS = 200;

export const firstRender: Row = {
  row: 16,
  name: 'first reading of the page of a unit with 16 athletes, processor time | JSON.stringify of the unit',
  unit: 'ms',
  target: null,
  async measure(bench) {
    const server = await startServer(bench);
    await server.api('POST', '/competitions/', JSON.stringify(MEETING));
    const competition = nextBig(bench);
    await create(server.api, competition);
    const reading = readerOf(bench, server);
    const unitPath = `${MEETING_PATH}event/T2/1/1/`;
    const unit = await stringifyMs(`${server.baseUrl}${unitPath}json/`);
    const { values } = await interleaved(bench.effort.rounds, () => reading(unitPath, READS), unit.again);
    const page = `${pageOf(competition)}/`;
    const there = (await fetch(server.baseUrl + page)).status === 200;
    const whole = there ? await reading(page, READS / 10) : undefined;
    return {
      value: median(values),
      floor: unit.ms,
      notes: [
        whole === undefined
          ? 'the competition has no page yet'
          : `first reading of the page of a competition with ${competition.events.length} events ${inMs(whole)}`,
        'answering, reading from Postgres and drawing altogether',
      ],
      broken: [
        ...(median(values) > LIMIT_MS.unit ? [`the unit takes more than ${LIMIT_MS.unit} ms`] : []),
        ...((whole ?? 0) > LIMIT_MS.competition
          ? [`the competition takes more than ${LIMIT_MS.competition} ms`]
          : []),
      ],
    };
  },
};

let host = 0;

/** Reads a page that nobody has read: under another name of the host each time, which its links hold. */
function readerOf(bench: Bench, { baseUrl, pid }: { baseUrl: string; pid: number }) {
  const agent = new Agent({ keepAlive: true });
  bench.afterwards(() => agent.destroy());
  return async (path: string, reads: number): Promise<number> => {
    const before = await processorMs(pid);
    for (let read = 0; read < reads; read += 1) {
      const headers = { host: `host-${++host}.example.org` };
      const { status, body } = await request({ url: baseUrl + path, agent, headers });
      if (status !== 200 || !body.includes(headers.host)) throw new Error(`${path}: ${status}`);
    }
    return ((await processorMs(pid)) - before) / reads;
  };
}

const TICK_MS = 10;

/** Of all threads of a process, as Linux counts it. */
async function processorMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function stringifyMs(url: string) {
  const value: unknown = await (await fetch(url)).json();
  const again = async () => {
    const startMs = performance.now();
    for (let time = 0; time < READS; time += 1) JSON.stringify(value);
    return Promise.resolve((performance.now() - startMs) / READS);
  };
  await again();
  return { ms: await again(), again };
}
