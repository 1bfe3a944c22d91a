// Subscribers of one channel in a process of their own, so that their work is not counted as the push server's.
// Says when they have joined; for each line with a number of events, when all have so many and how late the events were.
import { createInterface } from 'node:readline';
import { percentile } from '../helpers/figures.ts';
import { gather } from '../helpers/crowd.ts';

const { PORT = '', KEY = '', CHANNEL = '', COUNT = '' } = process.env;

let latenciesMs: number[] = [];
const say = (what: string, figures: object) => process.stdout.write(`${what} ${JSON.stringify(figures)}\n`);

const startMs = performance.now();
const crowd = await gather({
  port: Number(PORT),
  key: KEY,
  channel: CHANNEL,
  count: Number(COUNT),
  onEvent: (text) => latenciesMs.push(Date.now() - Number(/\\"at\\":(\d+)/.exec(text)?.[1])),
});
say('joined', { ms: performance.now() - startMs });

for await (const line of createInterface(process.stdin)) {
  const wanted = Number(line);
  await crowd.all(wanted);
  say(`has ${wanted}`, { outOfOrder: crowd.outOfOrder(), p99: percentile(latenciesMs, 0.99) });
  latenciesMs = [];
}
