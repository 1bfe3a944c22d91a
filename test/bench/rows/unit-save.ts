// Saves of single units by judges at the same time, against the least that a durable write costs.
import { Client } from 'pg';
import type { Bench } from '../bench.ts';
import { interleaved, median, type Row } from '../row.ts';
import { type Send, startServer } from '../server.ts';
import { idOf } from '../upload.ts';

const CLIENTS = 8;
const ATHLETES = Array.from({ length: 8 }, (_, index) => String(index + 1));
const everyClient = Array.from({ length: CLIENTS }, (_, index) => index);

export const unitSave: Row = {
  row: 10,
  name: `save of one unit with 8 results over HTTP, authenticated, ${CLIENTS} clients | one-row UPDATE commits`,
  unit: 'requests/s',
  target: { atLeast: 0.15 },
  async measure(bench) {
    const { api } = await startServer(bench);
    const one = await createCompetition(api, 'one');
    const apart = await Promise.all(everyClient.map((client) => createCompetition(api, `apart-${client}`)));
    const save = (path: string, client: number) => {
      let saves = 0;
      return () => api('PATCH', `${path}/events/T${client}/units/1/1`, results((saves += 1)));
    };
    const spread: number[] = [];
    const { values, floors } = await interleaved(
      bench.effort.rounds,
      async () => {
        spread.push(await perSecond(bench, (client) => save(apart[client]!, client)));
        return perSecond(bench, (client) => save(one, client));
      },
      await updatesPerSecond(bench),
    );
    const floor = median(floors);
    const apartRatio = (median(spread) / floor).toFixed(2);
    const notes = [
      `all in one competition; in ${CLIENTS} competitions ${Math.round(median(spread))}/s, ratio ${apartRatio}`,
    ];
    return { value: median(values), floor, notes };
  },
};

let marks = 0;

// Another mark in each save: sending what is stored already would write nothing.
export function results(saves: number): string {
  const performance = `${10 + (saves % 50)}.${String((marks += 1) % 100).padStart(2, '0')}`;
  return JSON.stringify({
    results_status: 'official',
    results: ATHLETES.map((bib) => ({ bib, place: Number(bib), performance })),
  });
}

/** A competition in which every client has a unit. @returns its path */
export async function createCompetition(api: Send, slug: string): Promise<string> {
  const competitors = ATHLETES.map((bib) => ({
    competitor_id: bib,
    first_name: 'Ana',
    last_name: `Lind ${bib}`,
  }));
  const events = everyClient.map((client) => ({
    event_id: `T${client}`,
    event_code: '100',
    name: '100 m Women',
    units: [{ round: 1, heat: 1, results: ATHLETES.map((bib) => ({ bib })) }],
  }));
  const fields = { full_name: `Bench ${slug}`, slug, country_id: 'GBR', date: '2026-07-18' };
  return `/competitions/${idOf(await api('POST', '/competitions/', JSON.stringify({ ...fields, competitors, events })))}`;
}

/** Every client does its work again and again for the time of a round. */
async function perSecond(bench: Bench, workOf: (client: number) => () => Promise<unknown>): Promise<number> {
  let done = 0;
  const startMs = performance.now();
  const endMs = startMs + bench.effort.seconds * 1000;
  const working = everyClient.map(async (client) => {
    const work = workOf(client);
    for (; performance.now() < endMs; done += 1) await work();
  });
  await Promise.all(working);
  return (done * 1000) / (performance.now() - startMs);
}

async function updatesPerSecond(bench: Bench): Promise<() => Promise<number>> {
  const connectionString = await bench.database();
  const clients = everyClient.map(() => new Client({ connectionString }));
  bench.afterwards(() => Promise.all(clients.map((client) => client.end())));
  await Promise.all(clients.map((client) => client.connect()));
  await clients[0]!.query('create table counters (client int primary key, n int not null)');
  await clients[0]!.query('insert into counters select client, 0 from generate_series(0, $1) as client', [
    CLIENTS,
  ]);
  const update = 'update counters set n = n + 1 where client = $1';
  return () => perSecond(bench, (client) => () => clients[client]!.query(update, [client]));
}
