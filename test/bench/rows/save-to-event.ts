// How long after a save was sent its event is in each of 100 real clients, against publishing the same on a bare push server.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inMs, percentile } from '../../helpers/figures.ts';
import { get } from '../../helpers/http-client.ts';
import { clientClasses, publisherLibrary } from '../../helpers/push-server.ts';
import type { Bench } from '../bench.ts';
import { interleaved, median, type Row } from '../row.ts';
import { type Send, startServer } from '../server.ts';
import { idOf } from '../upload.ts';

export const PER_SECOND = 20;
export const ROUND_SECONDS = 4;
export const SUBSCRIBERS = 100;
export const UNITS = 20;
const ATHLETES = Array.from({ length: 8 }, (_, index) => String(index + 1));
const APP = { id: 'app', key: 'key', secret: 'secret of the bare server' };
const IDENTITY = { PUSHER_APP_ID: APP.id, PUSHER_KEY: APP.key, PUSHER_SECRET: APP.secret };
const ROOT = 'x-2026-GBR-bench-overview';
const channelOf = (index: number) => `${ROOT}-T${index}-1-1`;

type Percentiles = { p50: number; p99: number };
/** Causes one event on the channel of this unit that carries the mark. */
type Cause = (index: number, mark: string) => Promise<unknown>;

export const saveToEvent: Row = {
  row: 11,
  name: `p99 from save to event in pusher-js, ${PER_SECOND} saves/s, ${SUBSCRIBERS} subscribers | publishing on the bare push server`,
  unit: 'ms',
  target: { atMost: 3 },
  async measure(bench) {
    const server = await startServer(bench);
    const path = await createUnits(server.api);
    const save: Cause = (index, mark) => saveUnit(server.api, path, index, mark);
    await save(0, '10.00');
    const saved = await subscribe(bench, (await get(`${server.baseUrl}/api/v1/push`)).body);

    const bare = bench.program('test/helpers/push-process.ts', IDENTITY);
    const port = Number((await bare.until(/Listening at http:.*:(\d+)/))[1]);
    const publish = publisherTo(port, await unitText(server.baseUrl));
    const published = await subscribe(bench, { key: IDENTITY.PUSHER_KEY, port });

    const { values, floors } = await interleaved(
      bench.effort.rounds,
      () => round(save, saved),
      () => round(publish, published),
    );
    const notes = [`p50 ${inMs(typical(values, 'p50'))}, of the floor ${inMs(typical(floors, 'p50'))}`];
    return { value: typical(values, 'p99'), floor: typical(floors, 'p99'), notes };
  },
};

export const typical = (samples: Percentiles[], key: keyof Percentiles) =>
  median(samples.map((sample) => sample[key]));

export async function createUnits(api: Send): Promise<string> {
  const fields = { full_name: 'Bench', slug: 'bench', country_id: 'GBR', date: '2026-07-18' };
  const id = idOf(await api('POST', '/competitions/', JSON.stringify(fields)));
  const units = [{ round: 1, heat: 1, results_status: 'official_results' }];
  const events = Array.from({ length: UNITS }, (_, index) => ({
    event_id: `T${index}`,
    event_code: '100',
    name: '100 m Women',
    units,
  }));
  const competitors = ATHLETES.map((bib) => ({
    competitor_id: bib,
    first_name: 'Ana',
    last_name: `Lind ${bib}`,
  }));
  await api('POST', `/competitions/${id}`, JSON.stringify({ competitors, events }));
  await api('PATCH', `/competitions/${id}/settings`, JSON.stringify({ push_notifications: true }));
  return `/competitions/${id}/events`;
}

export async function saveUnit(api: Send, path: string, index: number, performance: string): Promise<void> {
  const results = ATHLETES.map((bib) => ({ bib, place: Number(bib), performance }));
  await api('PATCH', `${path}/T${index}/units/1/1`, JSON.stringify({ results }));
}

async function unitText(baseUrl: string): Promise<string> {
  return (await get(`${baseUrl}/x/2026/GBR/bench/event/T0/1/1/json/`)).text;
}

function publisherTo(port: number, text: string): Cause {
  const library = publisherLibrary(APP, port, new Agent({ keepAlive: true }));
  return async (index, mark) => {
    const answer = await library.trigger(channelOf(index), 'unit', text.replaceAll('10.00', mark));
    await answer.text();
  };
}

/** Who hears of each event; one round at a time. */
type Audience = { onMark: (mark: string) => void };

export async function subscribe(
  bench: Bench,
  { key, port }: { key: string; port: number },
): Promise<Audience> {
  const audience: Audience = { onMark: () => {} };
  const subscriptions: Promise<unknown>[] = [];
  for (let client = 0; client < SUBSCRIBERS; client += 1) {
    const options = { cluster: 'eu', wsHost: '127.0.0.1', wsPort: port, forceTLS: false };
    const pusher = new clientClasses['8'](key, { ...options, enabledTransports: ['ws'] });
    bench.afterwards(() => pusher.disconnect());
    for (let index = 0; index < UNITS; index += 1) {
      const channel = pusher.subscribe(channelOf(index));
      channel.bind('unit', (unit: { results: { performance: string }[] }) =>
        audience.onMark(unit.results[0]!.performance),
      );
      subscriptions.push(new Promise((resolve) => channel.bind('pusher:subscription_succeeded', resolve)));
    }
  }
  await Promise.all(subscriptions);
  return audience;
}

let marks = 1000;

/** Causes events at the steady rate, whether or not earlier ones have arrived, and waits for all of them everywhere. */
export async function round(cause: Cause, audience: Audience): Promise<Percentiles> {
  const sentMs = new Map<string, number>();
  const latenciesMs: number[] = [];
  const total = PER_SECOND * ROUND_SECONDS;
  const startMs = performance.now();
  const causing: Promise<unknown>[] = [];
  const all = new Promise<void>((resolve) => {
    audience.onMark = (mark) => {
      const at = sentMs.get(mark);
      if (at === undefined) return;
      latenciesMs.push(performance.now() - at);
      if (latenciesMs.length === total * SUBSCRIBERS) resolve();
    };
  });
  for (let n = 0; n < total; n += 1) {
    await sleep(Math.max(0, startMs + (n * 1000) / PER_SECOND - performance.now()));
    const mark = ((marks += 1) / 100).toFixed(2);
    sentMs.set(mark, performance.now());
    const caused = cause(n % UNITS, mark);
    // Awaited below; a failure before that must not end the process, which has servers to stop.
    caused.catch(() => {});
    causing.push(caused);
  }
  await Promise.all([...causing, all]);
  return { p50: percentile(latenciesMs, 0.5), p99: percentile(latenciesMs, 0.99) };
}
