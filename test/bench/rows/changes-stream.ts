// How long after a save was sent its change is in each of 100 streams, against its event in as many push clients; and what a
// thousand open streams take.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inMs, percentile } from '../../helpers/figures.ts';
import { get as read, responseTo } from '../../helpers/http-client.ts';
import type { Bench } from '../bench.ts';
import { interleaved, type Row } from '../row.ts';
import { type BenchServer, startServer } from '../server.ts';
import {
  createUnits,
  PER_SECOND,
  round,
  ROUND_SECONDS,
  saveUnit,
  SUBSCRIBERS,
  subscribe,
  typical,
  UNITS,
} from './save-to-event.ts';

const MANY = 1000;
/** 20 is what a stream may take in all: V8 has 5 of the 9 that are resident for it. */
const EACH_KB_MAX = 10;

type Listener = (text: string) => void;

export const saveToStream: Row = {
  row: 20,
  name: `p99 from save to event in the stream of changes, ${PER_SECOND} saves/s, ${SUBSCRIBERS} streams | to the push event`,
  unit: 'ms',
  target: { atMost: 3 },
  async measure(bench) {
    const server = await startServer(bench);
    const { baseUrl, api } = server;
    const path = await createUnits(api);
    const save = (index: number, mark: string) => saveUnit(api, path, index, mark);
    await save(0, '10.00');
    await sleep(1000);
    const audience: { onText: Listener } = { onText: () => {} };
    const { next } = (await read(`${baseUrl}/api/v1/changes`)).body as { next: string };
    const url = `${baseUrl}/api/v1/changes/stream?after=${next}`;
    await open(bench, url, SUBSCRIBERS, (text) => audience.onText(text));
    const pushed = await subscribe(bench, (await read(`${baseUrl}/api/v1/push`)).body);
    const { values, floors } = await interleaved(
      bench.effort.rounds,
      () => streamRound(save, audience),
      () => round(save, pushed),
    );
    const p50s = `p50 ${inMs(typical(values, 'p50'))}, of the floor ${inMs(typical(floors, 'p50'))}`;
    const eachKb = await kilobytesPerStream(bench, server, url);
    const notes = [p50s, `${MANY} streams beside ${MANY}: ${eachKb.toFixed(1)} kB each in V8`];
    const broken = eachKb > EACH_KB_MAX ? [`a stream takes more than ${EACH_KB_MAX} kB in V8`] : [];
    return { value: typical(values, 'p99'), floor: typical(floors, 'p99'), notes, broken };
  },
};

async function open(bench: Bench, url: string, count: number, onText: Listener): Promise<void> {
  const agent = new Agent({ maxSockets: Infinity });
  bench.afterwards(() => agent.destroy());
  for (let opened = 0; opened < count; opened += 1) {
    const response = await responseTo(get(url, { agent }));
    if (response.statusCode !== 200) throw new Error(`A stream is answered ${response.statusCode}`);
    response
      .setEncoding('utf8')
      .on('data', onText)
      .on('error', () => {});
  }
}

let marks = 5000;

/** Saves at the steady rate; a unit is saved again after a second, so that its event is that of the save before. */
async function streamRound(
  save: (index: number, mark: string) => Promise<void>,
  audience: { onText: Listener },
) {
  const sentMs = new Map<string, number>();
  const latenciesMs: number[] = [];
  audience.onText = (text) => {
    const arrivedMs = performance.now();
    for (const [, eventId] of text.matchAll(/"event_id":"(T\d+)"/g)) {
      const at = sentMs.get(eventId!);
      if (at !== undefined) latenciesMs.push(arrivedMs - at);
    }
  };
  const startMs = performance.now();
  const total = PER_SECOND * ROUND_SECONDS;
  const saving: Promise<void>[] = [];
  for (let n = 0; n < total; n += 1) {
    await sleep(Math.max(0, startMs + (n * 1000) / PER_SECOND - performance.now()));
    sentMs.set(`T${n % UNITS}`, performance.now());
    const saved = save(n % UNITS, ((marks += 1) / 100).toFixed(2));
    saved.catch(() => {});
    saving.push(saved);
  }
  await Promise.all(saving);
  const deadlineMs = performance.now() + 10_000;
  while (latenciesMs.length < total * SUBSCRIBERS && performance.now() < deadlineMs) await sleep(20);
  return { p50: percentile(latenciesMs, 0.5), p99: percentile(latenciesMs, 0.99) };
}

async function kilobytesPerStream(bench: Bench, server: BenchServer, url: string): Promise<number> {
  // The first thousand bring what comes once: compiled code, and the room that V8 takes for what is short-lived.
  await open(bench, url, MANY, () => {});
  const before = await server.neededBytes();
  await open(bench, url, MANY, () => {});
  return ((await server.neededBytes()) - before) / MANY / 1024;
}
