import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { get, signedIn } from '../helpers/http-client.ts';
import { arrived, listen } from '../helpers/push-client.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

const FOLDER = process.env['COMPETITION_DATA_DIR'];
const skipped = FOLDER ? '' : ' (skipped: COMPETITION_DATA_DIR is not set)';

type Sent = Record<string, unknown>;
type SentEvent = Sent & { event_id: string; units?: (Sent & { round: number; heat: number })[] };
type Upload = Sent & { competitors: Sent[]; teams?: Sent[]; relay_teams?: Sent[]; events: SentEvent[] };

const load = async (name: string): Promise<Upload> => JSON.parse(await readFile(join(FOLDER!, name), 'utf8'));

async function world(group: string) {
  const env = await databaseEnvironment();
  const server = await serve(env);
  const api = await signedIn(server.baseUrl, await makeAccount(env.DATABASE_URL, group));
  return { server, api, databaseUrl: env.DATABASE_URL };
}

type PlacedUnit = Sent & { event_id: string; round: number; heat: number };

const unitsInOrder = (events: SentEvent[]) =>
  events
    .flatMap(({ event_id, units }) => (units ?? []).map((unit): PlacedUnit => ({ event_id, ...unit })))
    .toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));
const keyOf = ({ event_id, round, heat }: PlacedUnit) => JSON.stringify([event_id, round, heat]);
const withoutUnits = (events: SentEvent[]) => events.map(({ units: _units, ...event }) => event);
const withoutBirth = (people: Sent[]) => people.map(({ date_of_birth: _birth, ...person }) => person);

function expectEverySentField(read: Upload, sent: Upload) {
  expect(withoutUnits(read.events)).toMatchObject(withoutUnits(sent.events));
  // A combined event has its standings, whether or not they were sent.
  const parents = new Set(sent.events.map(({ parent }) => parent));
  const standings = sent.events
    .filter(({ event_id, units }) => parents.has(event_id) && units?.length === 0)
    .map(({ event_id }) => ({ event_id, units: [{ round: 1, heat: 1 }] }));
  const sentUnits = unitsInOrder([...sent.events, ...standings]);
  const readUnits = unitsInOrder(read.events);
  for (const [index, unit] of sentUnits.entries()) expect(readUnits[index]).toMatchObject(unit);
  expect(readUnits).toHaveLength(sentUnits.length);
  expect(read.competitors).toMatchObject(withoutBirth(sent.competitors));
  expect(read.teams).toMatchObject(sent.teams ?? []);
  expect(read.relay_teams).toMatchObject(sent.relay_teams ?? []);
}

const TABLES = [
  'competitions',
  'competitors',
  'entries',
  'teams',
  'relay_teams',
  'events',
  'units',
  'competition_directors',
];

/** The version of every row, and how far the revisions and the outbox have been counted. */
async function rowVersions(databaseUrl: string) {
  const rows = TABLES.map(
    (table) => `select '${table}' as name, string_agg(ctid::text || xmin::text, ',' order by ctid) as versions
                from ${table}`,
  );
  const sequences = `select sequencename::text, last_value::text from pg_sequences`;
  return runSql(databaseUrl, [...rows, sequences].join(' union all '));
}

describe.skipIf(!FOLDER)(`real data${skipped}`, () => {
  it('of a whole championship is stored by one request and comes back unchanged', async () => {
    const { server, api } = await world('ADMIN_BRA');
    const sent = await load('rio2016_upload.json');
    const created = await api('POST', '/competitions/', sent);
    expect(created.status).toBe(201);
    const read: Upload = (await get(`${server.baseUrl}/x/2016/BRA/og2016/json/`)).body;
    expect(read.competitors).toHaveLength(2284);
    expect(read.events).toHaveLength(64);
    expect(unitsInOrder(read.events)).toHaveLength(258);
    expectEverySentField(read, sent);
  }, 60_000);

  it('sent again changes no row and pushes nothing, and one changed result pushes one unit', async () => {
    const { server, api, databaseUrl } = await world('ADMIN_BRA');
    const sent = await load('rio2016_upload.json');
    const id: string = (await api('POST', '/competitions/', sent)).body.id;
    await api('PATCH', `/competitions/${id}/settings`, { push_notifications: true });
    const root = 'x-2016-BRA-og2016-overview';
    const unitChannels = unitsInOrder(sent.events).map(
      ({ event_id, round, heat }) => `${root}-${event_id}-${round}-${heat}`,
    );
    // More than one connection may subscribe to.
    const pushed = await listen(server.baseUrl, '8', [root, ...unitChannels.slice(0, 150)]);
    await listen(server.baseUrl, '8', unitChannels.slice(150), pushed);

    const before = await rowVersions(databaseUrl);
    expect((await api('POST', `/competitions/${id}`, sent)).status).toBe(200);
    expect(await rowVersions(databaseUrl)).toEqual(before);

    for (const [index, performance] of ['10.73', '10.74'].entries()) {
      const results = [{ bib: '131060', performance, place: 1 }];
      const units = [{ round: 1, heat: 1, results }];
      await api('POST', `/competitions/${id}`, { events: [{ event_id: 'T01', units }] });
      await arrived(pushed, index + 1);
    }
    expect(pushed.map(({ channel, event }) => ({ channel, event }))).toEqual([
      { channel: `${root}-T01-1-1`, event: 'unit' },
      { channel: `${root}-T01-1-1`, event: 'unit' },
    ]);
    expect(pushed[0]?.data).toMatchObject({ results: [{ bib: '131060', performance: '10.73' }] });
  }, 60_000);

  it('of the published sample comes back unchanged, with ages in place of dates of birth', async () => {
    const { server, api } = await world('ADMIN_GBR');
    const sent = await load('full_competition_upload.json');
    const created = await api('POST', '/competitions/', sent);
    expect(created).toMatchObject({ status: 201, body: { wa_rankings_category_id: 2, slug: sent['slug'] } });
    const { text, body } = await get(`${server.baseUrl}/x/2020/GBR/${String(sent['slug'])}/json/`);
    expectEverySentField(body, sent);
    expect(text).not.toContain('date_of_birth');
    expect(body.competitors.map(({ age }: Sent) => age)).toEqual([40, 39, 38, 21]);
  });
});
