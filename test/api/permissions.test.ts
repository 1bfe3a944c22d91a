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

/** One competition per question, and everybody who may ask for it. */
async function world(country_id: string) {
  const maker = await api.as('ADMIN_GBR', 'ADMIN_SCO');
  const director = await api.as();
  const { body } = await maker.post('/api/v1/competitions/', competition({ country_id, ...MEETING }));
  const path = `/api/v1/competitions/${body.id}`;
  await maker.patch(`${path}/settings`, { directors: [director.email] });
  const disabled = await api.as('ADMIN_GBR', 'ADMIN_SCO');
  await api.db.update(accounts).set({ disabled: true }).where(eq(accounts.id, disabled.id));
  const clients: Record<string, Client> = {
    anonymous: api,
    disabled,
    plain: await api.as(),
    director,
    admin: await api.as(`ADMIN_${country_id}`),
    foreigner: await api.as('ADMIN_FRA'),
    gbr: await api.as('ADMIN_GBR'),
    scot: await api.as('ADMIN_SCO'),
  };
  return { path, clients, country_id };
}
type World = Awaited<ReturnType<typeof world>>;

const ENDPOINTS: Record<string, (client: Client, world: World) => Promise<{ status: number }>> = {
  me: (client) => client.get('/api/v1/auth/me'),
  list: (client) => client.get('/api/v1/competitions/'),
  test: (client) => client.post('/api/v1/competitions/test', competition()),
  create: (client, { country_id }) => client.post('/api/v1/competitions', competition({ country_id })),
  read: (client, { path }) => client.get(path),
  update: (client, { path }) => client.post(path, { city: 'Anywhere' }),
  upload: (client, { path }) => client.post(path, { events: [{ event_id: 'E', rounds: '1' }] }),
  'read settings': (client, { path }) => client.get(`${path}/settings`),
  'change settings': (client, { path }) => client.patch(`${path}/settings`, {}),
  'read a unit': (client, { path }) => client.get(`${path}/events/LJ/units/1/1`),
  'save a unit': (client, { path }) => client.patch(`${path}/events/LJ/units/1/1`, { status: 'finished' }),
  'record an attempt': (client, { path }) =>
    client.post(`${path}/events/LJ/units/1/1/attempts`, { bib: '1', round: 1, result: '6.00' }),
  'delete a competitor': (client, { path }) => client.delete(`${path}/competitors/1`),
  'delete a team': (client, { path }) => client.delete(`${path}/teams/T`),
  'delete a relay team': (client, { path }) => client.delete(`${path}/events/LJ/relay_teams/R`),
  'delete a unit': (client, { path }) => client.delete(`${path}/events/LJ/units/1/1`),
  'delete an event': (client, { path }) => client.delete(`${path}/events/LJ`),
  delete: (client, { path }) => client.delete(path),
};

// In the order: anonymous, disabled, plain, director, admin, foreigner.
const WHO = ['anonymous', 'disabled', 'plain', 'director', 'admin', 'foreigner'];
const RIGHTS: [string, ...number[]][] = [
  ['me', 401, 401, 200, 200, 200, 200],
  ['list', 401, 401, 200, 200, 200, 200],
  ['test', 401, 401, 200, 200, 200, 200],
  ['create', 401, 401, 403, 403, 201, 403],
  ['read', 401, 401, 200, 200, 200, 200],
  ['update', 401, 401, 403, 200, 200, 403],
  ['upload', 401, 401, 403, 200, 200, 403],
  ['read settings', 401, 401, 403, 200, 200, 403],
  ['change settings', 401, 401, 403, 200, 200, 403],
  ['read a unit', 401, 401, 200, 200, 200, 200],
  ['save a unit', 401, 401, 403, 200, 200, 403],
  ['delete', 401, 401, 403, 403, 204, 403],
];

describe.for(['GBR', 'SCO'])('a competition in %s', (country) => {
  test.for(RIGHTS)('%s', async ([endpoint, ...expected]) => {
    const place = await world(country);
    const answers: number[] = [];
    // Those who must be refused first: the last who may deletes the competition.
    for (const name of WHO.toSorted((a, b) => Number(a === 'admin') - Number(b === 'admin'))) {
      const { status } = await ENDPOINTS[endpoint]!(place.clients[name]!, place);
      answers[WHO.indexOf(name)] = status;
    }
    expect(Object.fromEntries(WHO.map((name, index) => [name, answers[index]]))).toEqual(
      Object.fromEntries(WHO.map((name, index) => [name, expected[index]])),
    );
  });
});

describe('what a competition holds', () => {
  test.for<[string, number]>([
    ['record an attempt', 201],
    ['delete a competitor', 204],
    ['delete a team', 204],
    ['delete a relay team', 204],
    ['delete a unit', 204],
    ['delete an event', 204],
  ])('%s: its directors and admins may', async ([endpoint, done]) => {
    const ask = async (place: World, name: string) =>
      (await ENDPOINTS[endpoint]!(place.clients[name]!, place)).status;
    for (const allowed of ['director', 'admin', 'gbr']) {
      const place = await world('SCO');
      expect([await ask(place, 'anonymous'), await ask(place, 'disabled')]).toEqual([401, 401]);
      expect([await ask(place, 'plain'), await ask(place, 'foreigner')]).toEqual([403, 403]);
      expect(await ask(place, allowed)).toBe(done);
    }
  });
});

describe('home nations', () => {
  const writing = RIGHTS.filter(([, ...answers]) => answers.includes(403));

  test.for(writing)('ADMIN_GBR may %s in Scotland', async ([endpoint, , , , , allowed]) => {
    const place = await world('SCO');
    expect((await ENDPOINTS[endpoint]!(place.clients['gbr']!, place)).status).toBe(allowed);
  });

  test.for(writing)('ADMIN_SCO may not %s in GBR', async ([endpoint]) => {
    const place = await world('GBR');
    expect((await ENDPOINTS[endpoint]!(place.clients['scot']!, place)).status).toBe(403);
  });

  test('ADMIN_SCO may not create in Wales', async () => {
    const scot = await api.as('ADMIN_SCO');
    const { status } = await scot.post('/api/v1/competitions/', competition({ country_id: 'WAL' }));
    expect(status).toBe(403);
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

test('ping, push information and the data site need no token, and a bad one does no harm', async () => {
  for (const path of ['/api/v1/ping/', '/api/v1/push', '/openapi.json']) {
    expect((await api.get(path)).status).toBe(200);
    expect((await api.get(path, { authorization: 'Bearer rubbish' })).status).toBe(200);
  }
});
