// Files of results and start lists, as a statistician downloads them.
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'csv-parse/sync';
import { buildApp } from '../../src/app.ts';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const MEETING = {
  date: '2026-06-13',
  competitors: [
    {
      competitor_id: '1',
      first_name: 'Ana',
      last_name: 'Bo',
      gender: 'F',
      date_of_birth: '2003-04-09',
      age_group: 'SEN',
      nationality: 'NOR',
      team_id: 'T',
      licence: 'L-77',
      events_entered: [
        { event_id: 'E', qp: '6.10' },
        { event_id: 'S', pb: '11.90' },
      ],
    },
    { competitor_id: '2', first_name: '=1+1', last_name: 'Lind, "Kari"', gender: 'F' },
  ],
  teams: [{ team_id: 'T', team_name: 'Town' }],
  relay_teams: [{ relay_team_id: 'TA', event_id: 'R', name: 'Town A', team_id: 'T', runners: ['1'] }],
  events: [
    {
      event_id: 'S',
      event_code: '100',
      name: '100 m women',
      units: [
        {
          round: 1,
          heat: 1,
          wind_assistance: '-1.2',
          results: [
            { bib: '1', place: 1, lane: 4, performance: '12.01', qualified: 'Q', points: 8 },
            { bib: '2', lane: 5, performance: 'DNF' },
            { bib: '9', lane: 6, athlete_name: 'Somebody Else' },
          ],
        },
        { round: 1, heat: 2, results: [{ bib: '2', place: 1, performance: '12.50' }] },
      ],
    },
    { event_id: 'E', event_code: 'LJ', name: 'Long jump', rounds: '1' },
    {
      event_id: 'R',
      event_code: '4x100',
      units: [{ round: 1, heat: 1, results: [{ bib: 'TA', place: 1, performance: '47.11' }] }],
    },
  ],
};

type Row = Record<string, string>;
const rowsOf = (text: string, delimiter = ','): Row[] =>
  parse(text, { bom: true, columns: true, delimiter, record_delimiter: '\r\n' });

const world = () => uploadsInto(admin, MEETING);

test('results of a competition: one line for each, with the person behind the bib and nobody’s date of birth', async () => {
  const { page } = await world();
  const { status, headers, text } = await api.get(`${page}/results.csv`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'public, no-cache',
    'access-control-allow-origin': '*',
  });
  expect(
    text.startsWith('\uFEFFevent_id,event_code,event_name,round,heat,heat_name,wind,place,lane,bib,'),
  ).toBe(true);
  const rows = rowsOf(text);
  expect(rows.map(({ event_id, heat, bib }) => `${event_id} ${heat} ${bib}`)).toEqual([
    'S 1 1',
    'S 1 2',
    'S 1 9',
    'S 2 2',
    'R 1 TA',
  ]);
  expect(rows[0]).toEqual({
    event_id: 'S',
    event_code: '100',
    event_name: '100 m women',
    round: '1',
    heat: '1',
    heat_name: 'Final 1',
    wind: '-1.2',
    place: '1',
    lane: '4',
    bib: '1',
    first_name: 'Ana',
    last_name: 'Bo',
    gender: 'F',
    age_group: 'SEN',
    nationality: 'NOR',
    team_id: 'T',
    team_name: 'Town',
    performance: '12.01',
    qualification: 'Q',
    points: '8',
    results_status: 'provisional',
  });
  expect(rows[1]).toMatchObject({ first_name: "'=1+1", last_name: 'Lind, "Kari"', performance: 'DNF' });
  expect(rows[2]).toMatchObject({ bib: '9', last_name: 'Somebody Else', performance: '' });
  expect(rows[4]).toMatchObject({ first_name: '', team_id: 'T', team_name: 'Town A' });
  expect(text).not.toMatch(/2003|L-77/);
});

test('results of an event and of a unit; an event without results has the first line alone; others are not there', async () => {
  const { page } = await world();
  const bibs = async (path: string) => rowsOf((await api.get(page + path)).text).map(({ bib }) => bib);
  expect(await bibs('/event/S/results.csv')).toEqual(['1', '2', '9', '2']);
  expect(await bibs('/event/S/1/2/results.csv')).toEqual(['2']);
  expect(await bibs('/event/E/results.csv')).toEqual([]);
  for (const path of ['/event/X/results.csv', '/event/S/1/3/results.csv', '/event/S/x/1/results.csv'])
    expect(await api.get(page + path)).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
});

test('the start list has who is seeded, and of events that are not seeded who entered', async () => {
  const { page } = await world();
  const rows = rowsOf((await api.get(`${page}/startlist.csv`)).text);
  expect(rows.map(({ event_id, heat, bib }) => `${event_id} ${heat} ${bib}`)).toEqual([
    'S 1 1',
    'S 1 2',
    'S 1 9',
    'S 2 2',
    'E  1',
    'R 1 TA',
  ]);
  expect(rows[0]).toMatchObject({ lane: '4', pb: '11.90', last_name: 'Bo' });
  expect(rows[4]).toMatchObject({ event_name: 'Long jump', qp: '6.10', heat_name: '' });
});

test('a semicolon or a tab stands between the cells when asked for; anything else is refused', async () => {
  const { page } = await world();
  const plain = rowsOf((await api.get(`${page}/results.csv`)).text);
  for (const [name, delimiter] of [
    [';', ';'],
    ['%3B', ';'],
    ['tab', '\t'],
    ['', ','],
  ])
    expect(rowsOf((await api.get(`${page}/results.csv?delimiter=${name}`)).text, delimiter)).toEqual(plain);
  expect(await api.get(`${page}/results.csv?delimiter=x`)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['query', 'delimiter'] }] },
  });
});

test('is asked for again with its tag, and follows every save', async () => {
  const { page, store } = await world();
  const path = `${page}/event/S/results.csv`;
  const { headers } = await api.get(path);
  const known = { 'if-none-match': String(headers['etag']) };
  expect((await api.get(path, known)).status).toBe(304);
  await store({ competitors: [{ competitor_id: '1', last_name: 'Berg' }] });
  const changed = await api.get(path, known);
  expect(changed.status).toBe(200);
  expect(rowsOf(changed.text)[0]).toMatchObject({ last_name: 'Berg' });
});

test('a former address and another spelling lead to the present one, with what was asked for', async () => {
  const { page, store } = await world();
  await store({ slug: `${page.split('/').at(-1)}-new` });
  const moved = await api.get(`${page}/results.csv?delimiter=%3B`);
  expect(moved).toMatchObject({
    status: 308,
    headers: { location: `${page}-new/results.csv?delimiter=%3B` },
  });
  const spelled = await api.get(`/nb-no${page.replace('GBR', 'gbr')}-new/event/S/1/1/results.csv`);
  expect(spelled).toMatchObject({
    status: 308,
    headers: { location: `/nb-no${page}-new/event/S/1/1/results.csv` },
  });
  expect((await api.get('/x/2026/GBR/nobody/results.csv')).status).toBe(404);
});

test('a file too large for memory is streamed, the same as from memory', async () => {
  const units = Array.from({ length: 35 }, (_, n) => ({
    round: 1,
    heat: n + 1,
    results: Array.from({ length: 100 }, (_one, bib) => ({
      bib: String(bib),
      performance: `${n + 10}.${bib + 10}`,
      athlete_name: `${bib} ${'Longname'.repeat(20)}`,
    })),
  }));
  const { page } = await uploadsInto(admin, {
    events: [{ event_id: 'E', event_code: 'X', name: 'Long'.repeat(45), units }],
  });
  const kept = await api.get(`${page}/results.csv`);
  const cacheBytes = { documents: 0, frames: 0, units: 0 };
  const small = await buildApp(
    { ...api.deps, config: { ...api.deps.config, cacheBytes } },
    { baseUrl: () => 'http://data.test', pushServer: null },
  );
  try {
    await small.listen({ port: 0, host: '127.0.0.1' });
    const { port } = small.server.address() as AddressInfo;
    const streamed = await fetch(`http://127.0.0.1:${port}${page}/results.csv`, {
      headers: { 'accept-encoding': 'identity' },
    });
    expect(streamed.headers.get('etag')).toMatch(/^W\//);
    expect(streamed.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await streamed.arrayBuffer());
    expect(text === kept.text).toBe(true);
    expect(rowsOf(text)).toHaveLength(3500);
  } finally {
    await small.close();
  }
});
