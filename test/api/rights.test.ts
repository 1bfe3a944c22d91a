// The matrix of rights: every operation of the route table, and what each role is answered. A new operation needs a row here.
import { eq } from 'drizzle-orm';
import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { issueToken, TOKEN_SECONDS } from '../../src/accounts/authenticate.ts';
import { createAccount } from '../../src/accounts/create-account.ts';
import { buildApp } from '../../src/app.ts';
import { accounts } from '../../src/db/schema.ts';
import { createPushServer } from '../../src/push/server/push-server.ts';
import { IN_LANGUAGE } from '../../src/pages/front-routes.ts';
import { LOCALE_PREFIX } from '../../src/public-paths.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { byLength } from '../helpers/length.ts';
import { withRouteTable } from '../helpers/route-table.ts';
import { snapshot } from '../helpers/snapshot.ts';

const api = await startTestApp({ RATE_LIMIT_LOGIN: '0', RATE_LIMIT_WRITE: '0' });
const pushServer = createPushServer({
  app: api.deps.pushApp,
  maxEventBytes: 10_000,
  maxConnections: 1,
  maxConnectionsPerAddress: 1,
  log: pino({ level: 'silent' }),
});
const build = () => buildApp(api.deps, { baseUrl: () => 'http://data.test', pushServer });
const { app, operations } = await withRouteTable(build);
afterAll(async () => {
  await app.close();
  await api.close();
});

const ROLES = ['stranger', 'plain', 'foreign admin', 'admin', 'director', 'disabled', 'bad token'] as const;
type Role = (typeof ROLES)[number];
type Expected = Record<Role, number>;

const UNKNOWN = { stranger: 401, disabled: 401, 'bad token': 401 };
/** Who may, each with the status of success. */
const everybody = (done: number): Expected => ({
  ...signedIn(done),
  stranger: done,
  disabled: done,
  'bad token': done,
});
const signedIn = (done: number): Expected => ({ ...editors(done), plain: done, 'foreign admin': done });
const editors = (done: number): Expected => ({ ...admins(done), director: done });
const admins = (done: number): Expected => ({
  ...UNKNOWN,
  plain: 403,
  'foreign admin': 403,
  director: 403,
  admin: done,
});
/** A signature is asked for, which no account has. */
const nobody = everybody(401);

const COMPETITIONS = '/api/v1/competitions';
const OF = `${COMPETITIONS}/:comp_id`;
const UNIT = `${OF}/events/:event_id/units/:round_no/:heat_no`;
const WEBHOOKS = '/api/v1/webhooks';
const WEBHOOK = `${WEBHOOKS}/:webhook_id`;
const MEMBER = { email: 'member@example.org', password: 'correct horse' };
await createAccount(api.deps, { ...MEMBER, groups: [] });
const credentials = { username: MEMBER.email, password: MEMBER.password };

const PAGES = [
  '/x/:year/json',
  '/x/:year/:country_id/json',
  '/x/:year/:country_id/:slug/json',
  '/x/:year/:country_id/:slug/event/:event_id/json',
  '/x/:year/:country_id/:slug/event/:event_id/:round_no/json',
  '/x/:year/:country_id/:slug/event/:event_id/:round_no/:heat_no/json',
  '/x/:year/:country_id/:slug/competitor/:competitor_id/json',
  '/x/:year',
  '/x/:year/:country_id',
  '/x/:year/:country_id/:slug',
  '/x/:year/:country_id/:slug/competitors',
  '/x/:year/:country_id/:slug/competitor/:competitor_id',
  '/x/:year/:country_id/:slug/event/:event_id',
  '/x/:year/:country_id/:slug/event/:event_id/:round_no',
  '/x/:year/:country_id/:slug/overview/json',
  '/x/:year/:country_id/:slug/event/:event_id/overview/json',
  '/x/:year/:country_id/:slug/event/:event_id/:round_no/:heat_no',
  '/x/:year/:country_id/:slug/embed',
  '/x/:year/:country_id/:slug/event/:event_id/:round_no/:heat_no/embed',
  '/x/:year/:country_id/:slug/screen',
  '/x/:year/:country_id/:slug/event/:event_id/screen',
  '/x/:year/:country_id/:slug/event/:event_id/:round_no/:heat_no/screen',
  '/x/:year/:country_id/:slug/overlay',
  '/x/:year/:country_id/:slug/event/:event_id/:round_no/:heat_no/overlay',
  '/x/:year/:country_id/:slug/event/:event_id/:round_no/:heat_no/card',
  '/x/:year/calendar.ics',
  '/x/:year/:country_id/calendar.ics',
  '/x/:year/:country_id/:slug/calendar.ics',
  '/x/:year/:country_id/:slug/results.csv',
  '/x/:year/:country_id/:slug/startlist.csv',
  '/x/:year/:country_id/:slug/event/:event_id/results.csv',
  '/x/:year/:country_id/:slug/event/:event_id/:round_no/:heat_no/results.csv',
];

type Row = [operation: string, expected: Expected, body?: () => unknown];

/** GET stands for HEAD as well. */
const ROWS: Row[] = [
  ...PAGES.flatMap((path): Row[] => [
    [`GET ${path}`, everybody(200)],
    [`GET ${LOCALE_PREFIX}${path}`, everybody(200)],
  ]),
  ['GET /', everybody(200)],
  [`GET ${IN_LANGUAGE}`, everybody(200)],
  ['GET /robots.txt', everybody(200)],
  ['GET /sitemap.xml', everybody(200)],
  ['GET /sitemap/:part', everybody(200)],
  // Of that name there is none: every name holds a hash.
  ['GET /assets/:file', everybody(404)],
  ['GET /assets/pusher.js', everybody(200)],
  ['GET /embed/v1.js', everybody(200)],
  ['GET /embed/v1.css', everybody(200)],
  // Let in, and told what is missing.
  ['GET /oembed', everybody(422)],
  ['GET /docs', everybody(200)],
  ['GET /docs/json', everybody(200)],
  ['GET /docs/yaml', everybody(200)],
  ['GET /docs/static/index.html', everybody(302)],
  ['GET /docs/static/swagger-initializer.js', everybody(200)],
  ['GET /docs/static/*', everybody(200)],
  ['GET /redoc', everybody(200)],
  ['GET /redoc/redoc.standalone.js', everybody(200)],
  ['GET /openapi.json', everybody(200)],
  ['GET /healthz', everybody(200)],
  // The calendar files are not built, so it is degraded, which is still 200.
  ['GET /readyz', everybody(200)],
  ['GET /metrics', everybody(200)],
  ['GET /api/v1/ping', everybody(200)],
  ['GET /api/v1/push', everybody(200)],
  ['GET /api/v1/changes', everybody(200)],
  // Let in, and told that this is no cursor: a stream would go on for ever.
  ['GET /api/v1/changes/stream', everybody(422)],
  ['GET /live/:group/:name', everybody(404)],
  [`GET ${WEBHOOKS}`, signedIn(200)],
  [`POST ${WEBHOOKS}`, signedIn(201), () => ({ url: 'https://scores.example.org/' })],
  // Everybody has their own: this one is nobody's here, and whose it is does not show.
  [`GET ${WEBHOOK}`, signedIn(404)],
  [`PATCH ${WEBHOOK}`, signedIn(404), () => ({ disabled: true })],
  [`DELETE ${WEBHOOK}`, signedIn(404)],
  [`POST ${WEBHOOK}/rotate`, signedIn(404)],
  [`POST ${WEBHOOK}/ping`, signedIn(404)],
  [`GET ${WEBHOOK}/deliveries`, signedIn(404)],
  [`POST ${WEBHOOK}/deliveries/:delivery_id/redeliver`, signedIn(404)],
  ['POST /apps/:id/events', nobody, () => ({ name: 'unit', channel: 'x', data: '{}' })],
  ['POST /apps/:id/batch_events', nobody, () => ({ batch: [] })],
  ['GET /apps/:id/channels', nobody],
  ['GET /apps/:id/channels/:name', nobody],
  ['POST /api/v1/auth/token', everybody(200), () => credentials],
  // Let in, and told what is missing.
  ['POST /api/v1/auth/password', signedIn(422), () => ({})],
  ['POST /api/v1/auth/revoke', signedIn(204)],
  ['GET /api/v1/auth/me', signedIn(200)],
  [`GET ${COMPETITIONS}`, signedIn(200)],
  [`POST ${COMPETITIONS}`, admins(201), () => competition()],
  [`POST ${COMPETITIONS}/test`, signedIn(200), () => competition()],
  [`GET ${OF}`, signedIn(200)],
  [`POST ${OF}`, editors(200), () => ({ city: 'Ayr', events: [{ event_id: 'N', rounds: '1' }] })],
  [`DELETE ${OF}`, admins(204)],
  [`GET ${OF}/settings`, editors(200)],
  [`PATCH ${OF}/settings`, editors(200), () => ({ push_notifications: true })],
  [`GET ${OF}/lynx/lynx.evt`, editors(200)],
  [`GET ${OF}/lynx/lynx.ppl`, editors(200)],
  [`GET ${OF}/lynx/lynx.sch`, editors(200)],
  // Let in, and told that this is no .lif.
  [`POST ${OF}/lynx/results`, editors(422), () => ({})],
  // Let in, and told that a column is missing.
  [`POST ${OF}/entries`, editors(422), () => ({})],
  [`GET ${OF}/entries.csv`, signedIn(200)],
  [`GET ${OF}/results.wa.json`, editors(200)],
  [`DELETE ${OF}/competitors/:competitor_id`, editors(204)],
  [`DELETE ${OF}/teams/:team_id`, editors(204)],
  [`DELETE ${OF}/events/:event_id`, editors(204)],
  [`DELETE ${OF}/events/:event_id/relay_teams/:relay_team_id`, editors(204)],
  [`DELETE ${UNIT}`, editors(204)],
  [`GET ${UNIT}`, signedIn(200)],
  [`PATCH ${UNIT}`, editors(200), () => ({ status: 'finished' })],
  [`POST ${UNIT}/attempts`, editors(201), () => ({ bib: '1', round: 2, result: '6.00' })],
  [`DELETE ${UNIT}/attempts/:attempt_id`, editors(200)],
];

const MEETING = {
  competitors: [{ competitor_id: '1' }],
  teams: [{ team_id: 'T' }],
  relay_teams: [{ relay_team_id: 'R', event_id: 'LJ' }],
  events: [{ event_id: 'LJ', event_code: 'LJ', units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }] }],
};

const maker = await api.as('ADMIN_GBR');
const director = await api.as();
const stranger = await api.as();
const webhook = (await stranger.post(WEBHOOKS, { url: 'https://scores.example.org/' })).body.id as string;
const pinged = (await stranger.post(`${WEBHOOKS}/${webhook}/ping`, {})).body.id as string;

/** A competition, and the values of parameters in paths that lead to it. */
async function place() {
  const { body } = await maker.post(`${COMPETITIONS}/`, competition(MEETING));
  const path = `${COMPETITIONS}/${body.id}`;
  await maker.patch(`${path}/settings`, { directors: [director.email] });
  const attempt = { bib: '1', round: 1, result: '5.90' };
  const recorded = await maker.post(`${path}/events/LJ/units/1/1/attempts`, attempt);
  return {
    comp_id: body.id,
    attempt_id: recorded.body.attempt.attempt_id,
    year: '2026',
    country_id: 'GBR',
    slug: body.slug,
    event_id: 'LJ',
    round_no: '1',
    heat_no: '1',
    competitor_id: '1',
    team_id: 'T',
    relay_team_id: 'R',
    group: 'euroath',
    name: 'none.json',
    part: 'calendars.xml',
    id: api.deps.pushApp.id,
    webhook_id: webhook,
    delivery_id: pinged,
  } as Record<string, string>;
}

const revoke = (id: string) => api.db.update(accounts).set({ tokenEpoch: 1 }).where(eq(accounts.id, id));

const known = new Map<Role, Promise<(string | undefined)[]>>();

/** Tokens of somebody of that role; of bad ones there are many kinds. */
function tokensOf(role: Role): Promise<(string | undefined)[]> {
  const tokens = known.get(role) ?? newTokensOf(role);
  known.set(role, tokens);
  return tokens;
}

let turns = 0;

/** Those to ask with: of many kinds the next one. */
async function tokensToSend(role: Role): Promise<(string | undefined)[]> {
  const tokens = await tokensOf(role);
  return tokens.length === 1 ? tokens : byLength([tokens[turns++ % tokens.length]], tokens);
}

async function newTokensOf(role: Role): Promise<(string | undefined)[]> {
  if (role === 'stranger') return [undefined];
  if (role === 'director') return [await tokenOf(director.id)];
  if (role === 'plain') return [(await api.as()).token];
  const { id, token } = await api.as(role === 'foreign admin' ? 'ADMIN_FRA' : 'ADMIN_GBR');
  if (role === 'disabled') await api.db.update(accounts).set({ disabled: true }).where(eq(accounts.id, id));
  if (role !== 'bad token') return [token];
  const revoked = await api.as('ADMIN_GBR');
  await revoke(revoked.id);
  const before = new Date(api.clock.now.getTime() - TOKEN_SECONDS * 1000);
  const expired = issueToken(app, { id, tokenEpoch: 0 }, before);
  const forged = app.jwt.sign(app.jwt.decode<object>(token)!, { key: 'x'.repeat(40) });
  return [revoked.token, expired, forged, 'rubbish'];
}

async function tokenOf(id: string): Promise<string> {
  const [account] = await api.db.select().from(accounts).where(eq(accounts.id, id));
  return issueToken(app, { id, tokenEpoch: account!.tokenEpoch }, api.clock.now);
}

const shared = await place();

type Asked = { row: Row; role: Role; at: Record<string, string> };

async function ask({ row, role, at }: Asked, method?: 'HEAD'): Promise<number[]> {
  const [operation, , body] = row;
  const [verb, route] = operation.split(' ') as ['GET', string];
  const url = route
    .replace(LOCALE_PREFIX, '/nb-no')
    .replace(IN_LANGUAGE, '/de')
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(at[name] ?? `no ${name}`))
    .replace('*', 'swagger-ui.css')
    .replace(/\/stream$/, '/stream?after=none');
  const statuses = new Set<number>();
  for (const token of await tokensToSend(role)) {
    const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const payload = body && JSON.stringify(body());
    const sent: InjectOptions = { method: method ?? verb, url, headers, ...(payload && { payload }) };
    statuses.add((await app.inject(sent)).statusCode);
  }
  if (route.endsWith('/revoke') && !isRefusal(row[1][role])) known.delete(role);
  return [...statuses];
}

const rowless = (routes: string[], rows: Row[]) =>
  routes
    .map((route) => route.replace(/^HEAD /, 'GET '))
    .filter((route) => !rows.some(([operation]) => operation === route));

describe('the matrix of rights', () => {
  test('has a row for every operation, and no other', async () => {
    const routes = await operations();
    expect(rowless(routes, ROWS)).toEqual([]);
    const named = ROWS.map(([operation]) => operation);
    expect(named.filter((operation) => !routes.includes(operation))).toEqual([]);
    expect(named.length).toBe(new Set(named).size);
  });

  test('misses the row of an operation that is added, documented or not', async () => {
    const more = await withRouteTable(async () => {
      const built = await build();
      built.get('/api/v1/secrets', { schema: { hide: true } }, async () => 'all of them');
      built.put(`${OF}/owner`, async () => 'taken');
      return built;
    });
    expect(rowless(await more.operations(), ROWS)).toEqual([
      'GET /api/v1/secrets',
      'GET /api/v1/secrets',
      `PUT ${OF}/owner`,
    ]);
    expect(rowless([ROWS[0]![0]], ROWS.slice(1))).toEqual([ROWS[0]![0]]);
  });
});

/** Whether what succeeds uses up what it was done to, or is another success the second time. */
const usesUp = ({ name }: { name: string }) => name.startsWith('DELETE ') || name.endsWith('/attempts');
const isRefusal = (status: number) => status === 401 || status === 403;

const NAMED = ROWS.map((row) => ({ name: row[0], row }));
const isRead = ({ name }: { name: string }) => name.startsWith('GET ');
describe('each role is answered as its row says, and a refusal changes nothing:', () => {
  test.for(NAMED)('$name', async ({ name, row }) => {
    const [, expected] = row;
    const at = isRead({ name }) ? shared : await place();
    const answers: Record<string, number[]> = {};
    await Promise.all(ROLES.map(tokensOf));
    const refused = ROLES.filter((role) => isRefusal(expected[role]));
    const state = async () => (refused.length > 0 ? await snapshot(api.db) : {});
    const before = await state();
    for (const role of refused) answers[role] = await ask({ row, role, at });
    expect(await state()).toEqual(before);
    for (const role of ROLES.filter((one) => !refused.includes(one)))
      answers[role] = await ask({ row, role, at: usesUp({ name }) ? await place() : at });
    expect(answers).toEqual(Object.fromEntries(ROLES.map((role) => [role, [expected[role]]])));
  });

  test.for(NAMED.filter(isRead))('$name, its head alone', async ({ row }) => {
    // Who may is judged before the method makes a difference.
    const isPublic = row[1].stranger === row[1].admin;
    for (const role of isPublic ? ROLES.slice(0, 1) : (['stranger', 'admin', 'bad token'] as const))
      expect(await ask({ row, role, at: shared }, 'HEAD')).toEqual([row[1][role]]);
  });
});
