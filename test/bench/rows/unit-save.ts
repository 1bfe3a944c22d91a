// Saves of single units by judges at the same time, against the least that a durable write costs.
import { Client } from 'pg';
import type { Bench } from '../bench.ts';
import { requestsPerSecond } from '../load.ts';
import { interleaved, median, type Row } from '../row.ts';
import { type Send, startServer } from '../server.ts';
import { idOf } from '../upload.ts';

const CLIENTS = 8;
const ATHLETES = Array.from({ length: 8 }, (_, index) => String(index + 1));
const everyClient = Array.from({ length: CLIENTS }, (_, index) => index);
const everySave = Array.from({ length: 50 }, (_, index) => index);

export const unitSave: Row = {
  row: 10,
  name: `save of one unit with 8 results over HTTP, authenticated, ${CLIENTS} clients | one-row UPDATE commits`,
  unit: 'requests/s',
  // The aim is 0.2, where the disk takes 4,000 commits a second. Where it takes 8,000 the processor is the limit: of the main thread
  // 18 % send to Postgres (two statements a save), 5 % make the unit's text and 15 % wait; no other function has 2.5 %.
  target: { atLeast: 0.1 },
  async measure(bench) {
    const { api, baseUrl, headers } = await startServer(bench);
    const one = await createCompetition(api, 'one');
    const apart = await Promise.all(everyClient.map((client) => createCompetition(api, `apart-${client}`)));
    const saves = (pathOf: (client: number) => string) =>
      requestsPerSecond(bench, {
        connections: CLIENTS,
        of: (client) =>
          everySave.map((save) => ({
            method: 'PATCH',
            url: `${baseUrl}/api/v1${pathOf(client)}/events/T${client}/units/1/1`,
            headers,
            body: results(save),
          })),
      });
    const spread: number[] = [];
    const { values, floors } = await interleaved(
      bench.effort.rounds,
      async () => {
        spread.push(await saves((client) => apart[client]!));
        return saves(() => one);
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

// Another mark in each save: sending what is stored already would write nothing.
export function results(save: number): string {
  const performance = `${10 + (save % 50)}.${String(save % 97).padStart(2, '0')}`;
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
  return async () => {
    let done = 0;
    const startMs = performance.now();
    const endMs = startMs + bench.effort.seconds * 1000;
    const updating = clients.map(async (each, client) => {
      for (; performance.now() < endMs; done += 1) await each.query(update, [client]);
    });
    await Promise.all(updating);
    return (done * 1000) / (performance.now() - startMs);
  };
}
