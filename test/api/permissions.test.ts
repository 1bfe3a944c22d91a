// Rights by country, and tokens. Which operation asks for which right: rights.test.ts.
import { eq } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { accounts } from '../../src/db/schema.ts';
import { type Client, startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

const api = await startTestApp();
afterAll(api.close);

const MEETING = {
  competitors: [{ competitor_id: '1' }],
  teams: [{ team_id: 'T' }],
  relay_teams: [{ relay_team_id: 'R', event_id: 'LJ' }],
  events: [{ event_id: 'LJ', event_code: 'LJ', units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }] }],
};

const maker = await api.as('ADMIN_GBR');
const gbr = await api.as('ADMIN_GBR');
const scot = await api.as('ADMIN_SCO');

/** The path of a new competition in that country. */
async function placeIn(country_id: string): Promise<string> {
  const { body } = await maker.post('/api/v1/competitions/', competition({ country_id, ...MEETING }));
  return `/api/v1/competitions/${body.id}`;
}

type Write = (client: Client, path: string, country_id: string) => Promise<{ status: number }>;
const UNIT = 'events/LJ/units/1/1';
const WRITES: [string, number, Write][] = [
  [
    'create',
    201,
    (client, _, country_id) => client.post('/api/v1/competitions', competition({ country_id })),
  ],
  ['update', 200, (client, path) => client.post(path, { city: 'Anywhere' })],
  ['upload', 200, (client, path) => client.post(path, { events: [{ event_id: 'E', rounds: '1' }] })],
  ['read settings', 200, (client, path) => client.get(`${path}/settings`)],
  ['change settings', 200, (client, path) => client.patch(`${path}/settings`, {})],
  ['save a unit', 200, (client, path) => client.patch(`${path}/${UNIT}`, { status: 'finished' })],
  [
    'record an attempt',
    201,
    (client, path) => client.post(`${path}/${UNIT}/attempts`, { bib: '1', round: 1, result: '6.00' }),
  ],
  ['delete a competitor', 204, (client, path) => client.delete(`${path}/competitors/1`)],
  ['delete a team', 204, (client, path) => client.delete(`${path}/teams/T`)],
  ['delete a relay team', 204, (client, path) => client.delete(`${path}/events/LJ/relay_teams/R`)],
  ['delete a unit', 204, (client, path) => client.delete(`${path}/${UNIT}`)],
  ['delete an event', 204, (client, path) => client.delete(`${path}/events/LJ`)],
  ['delete', 204, (client, path) => client.delete(path)],
];

describe('home nations', () => {
  test.for(WRITES)('ADMIN_GBR and ADMIN_SCO may %s in Scotland', async ([, done, write]) => {
    for (const client of [gbr, scot])
      expect((await write(client, await placeIn('SCO'), 'SCO')).status).toBe(done);
  });

  // What is refused changes nothing: one place does for all.
  const elsewhere = { GBR: placeIn('GBR'), WAL: placeIn('WAL') };
  test.for(WRITES)('ADMIN_SCO may not %s in GBR, nor in Wales', async ([, , write]) => {
    for (const [country, place] of Object.entries(elsewhere))
      expect((await write(scot, await place, country)).status).toBe(403);
  });
});

describe('tokens', () => {
  test('end after 24 hours', async () => {
    const client = await api.as();
    api.clock.advance(24 * 3_600_000 - 1000);
    expect((await client.get('/api/v1/competitions/')).status).toBe(200);
    api.clock.advance(1000);
    const { status, headers, body } = await client.get('/api/v1/competitions/');
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(body.detail).toEqual(expect.any(String));
  });

  test('of a disabled account stop at once, and work again when it is enabled', async () => {
    const client = await api.as();
    const list = async () => (await client.get('/api/v1/competitions/')).status;
    const setDisabled = (disabled: boolean) =>
      api.db.update(accounts).set({ disabled }).where(eq(accounts.id, client.id));
    expect(await list()).toBe(200);
    await setDisabled(true);
    expect(await list()).toBe(401);
    await setDisabled(false);
    expect(await list()).toBe(200);
  });

  test.for([
    ['no Bearer', 'Token abc'],
    ['no token', 'Bearer '],
    ['rubbish', 'Bearer rubbish'],
    ['unsigned', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'],
  ])('a header with %s is a 401', async ([, authorization]) => {
    const { status, headers } = await api.get('/api/v1/competitions/', { authorization: authorization! });
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });

  test('are not taken from the query', async () => {
    const { token } = await api.as();
    expect((await api.get(`/api/v1/competitions/?access_token=${token}&token=${token}`)).status).toBe(401);
  });
});
