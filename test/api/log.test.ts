import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { setDisabled } from '../../src/accounts/change-account.ts';
import { createAccount } from '../../src/accounts/create-account.ts';
import { buildApp } from '../../src/app.ts';
import { createLog } from '../../src/log.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { runSql } from '../helpers/sql.ts';

function capture() {
  const lines: string[] = [];
  return { lines, destination: { write: (line: string) => void lines.push(line) } };
}

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp({ RATE_LIMIT_LOGIN: '2' });
});
afterAll(() => test.close());

/** An application that writes its log where it can be read. */
async function logging(level: string) {
  const { lines, destination } = capture();
  const app = await buildApp(
    { ...test.deps, log: createLog(level, destination) },
    { baseUrl: () => 'http://data.test', pushServer: null },
  );
  onTestFinished(() => app.close());
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { app, lines, logged };
}

/** Until the end of the test. */
async function withoutTable(name: string): Promise<void> {
  await runSql(test.ownerUrl, `alter table ${name} rename to elsewhere`);
  onTestFinished(async () => void (await runSql(test.ownerUrl, `alter table elsewhere rename to ${name}`)));
}

it('every call of the API is one line at info: route, status, time, account, and the id that its answer carries', async () => {
  const { app, logged } = await logging('info');
  const admin = await test.as('ADMIN_GBR');
  const authorization = `Bearer ${admin.token}`;
  const none = '/api/v1/competitions/00000000-0000-4000-8000-000000000000';
  const answers = [
    await app.inject({ url: '/api/v1/auth/me', headers: { authorization } }),
    await app.inject({ url: `${none}?include=events`, headers: { authorization } }),
    await app.inject({ method: 'POST', url: '/api/v1/competitions/' }),
    await app.inject({ method: 'PUT', url: '/x/2026/json/' }),
    await app.inject({ url: '/api/v1/nothing/here' }),
  ];
  const account = admin.id;
  const expected = [
    { method: 'GET', route: '/api/v1/auth/me', status: 200, account },
    { method: 'GET', route: '/api/v1/competitions/:comp_id', path: none, status: 404, account },
    { method: 'POST', route: '/api/v1/competitions', status: 401 },
    { method: 'PUT', route: '/x/:year/json', status: 405 },
    { method: 'GET', route: 'none', path: '/api/v1/nothing/here', status: 404 },
  ];
  const lines = logged();
  expect(lines).toHaveLength(answers.length);
  expect(lines).toMatchObject(
    expected.map((line, index) => ({
      ...line,
      level: 30,
      // On a busy machine any of them may be.
      msg: Number(lines[index]!.ms) > 1000 ? 'slow request' : 'request',
      reqId: answers[index]!.headers['x-request-id'],
      ms: expect.any(Number),
    })),
  );
  expect(logged()[2]).not.toHaveProperty('account');
});

it('public reads have no line, whatever is answered, unless they were slow or failed', async () => {
  const { app, logged } = await logging('info');
  const SEEN = [
    '/x/2026/json/',
    '/en/x/2026/GBR/none/json/',
    '/live/euroath/none.json',
    '/api/v1/ping/',
    '/healthz',
  ];
  for (const url of [
    ...SEEN,
    '/api/v1/push',
    '/metrics',
    '/',
    '/nothing',
    '/%',
    '/openapi.json',
    '/readyz',
  ]) {
    await app.inject({ url });
    await app.inject({ method: 'HEAD', url });
  }
  // On a busy machine any of them may be slow.
  expect(logged().filter(({ ms }) => Number(ms) <= 1000)).toEqual([]);
  const before = logged().length;
  // What takes long is the database, here behind a lock.
  const client = await test.db.$client.connect();
  await client.query('begin; lock table competitions in access exclusive mode');
  const slow = app.inject({ url: '/x/2026/FRA/json/?case=snake' });
  await client.query('select pg_sleep(1.1)');
  await client.query('rollback');
  client.release();
  expect((await slow).statusCode).toBe(200);
  expect(logged().slice(before)).toMatchObject([
    { level: 30, msg: 'slow request', path: '/x/2026/FRA/json/', status: 200, ms: expect.any(Number) },
  ]);
  await withoutTable('competitions');
  expect((await app.inject({ url: '/x/2025/json/' })).statusCode).toBe(500);
  expect(logged().slice(before + 1)).toMatchObject([
    { level: 50, msg: 'request failed', err: { code: '42P01' } },
    { level: 30, msg: 'request failed', route: '/x/:year/json', status: 500 },
  ]);
});

it('a request of which nothing is logged has no log of its own made for it', async () => {
  const { lines, destination } = capture();
  const log = createLog('info', destination);
  const child = vi.spyOn(log, 'child');
  const app = await buildApp({ ...test.deps, log }, { baseUrl: () => 'http://data.test', pushServer: null });
  onTestFinished(() => app.close());
  await app.ready();
  child.mockClear();
  lines.length = 0;
  for (const url of ['/api/v1/ping', '/x/2026/json/', '/', '/healthz', '/nothing']) await app.inject({ url });
  // On a busy machine any of them may be slow, and has a line.
  expect(child).toHaveBeenCalledTimes(lines.length);
  await app.inject({ url: '/api/v1/competitions/' });
  expect(child).toHaveBeenCalledTimes(lines.length);
  expect(lines.at(-1)).toContain('"route":"/api/v1/competitions"');
});

it('no line at any level holds a token, a password, a query or a date of birth', async () => {
  const { app, lines } = await logging('trace');
  const { token } = await test.as('ADMIN_GBR');
  const authorization = `Bearer ${token}`;
  const person = { competitor_id: '1', date_of_birth: '1987-06-05' };
  const meeting = { full_name: 'Open', country_id: 'GBR', date: '2026-07-18', competitors: [person] };
  const post = (url: string, sent: object) =>
    app.inject({ method: 'POST', url, headers: { authorization }, payload: JSON.stringify(sent) });
  await post('/api/v1/auth/token', { username: 'nobody@example.org', password: 'geheimes Wort' });
  await post('/api/v1/auth/password', { current_password: 'geheimes Wort', new_password: 'geheimes Wort 2' });
  await post('/api/v1/auth/token?password=geheimes', { username: 'x', password: 'geheimes' });
  await app.inject({
    url: `/api/v1/competitions/?access_token=${token}&token=geheimes`,
    headers: { authorization },
  });
  await post('/api/v1/competitions/', meeting);
  await post('/api/v1/competitions/', {
    ...meeting,
    competitors: [{ ...person, date_of_birth: '1987-06-055' }],
  });
  await app.inject({
    method: 'POST',
    url: '/api/v1/competitions/',
    headers: { authorization },
    payload: '{"date_of_birth": "1987-06-05',
  });
  await withoutTable('competitors');
  expect((await post('/api/v1/competitions/', { ...meeting, full_name: 'Other' })).statusCode).toBe(500);
  expect(lines.length).toBeGreaterThan(8);
  for (const secret of ['geheimes', token, '1987-06', '?']) expect(lines.join('')).not.toContain(secret);
});

it('a refused sign-in is a warning that names the account and the reason, never what was typed as a password', async () => {
  const { app, lines, logged } = await logging('warn');
  const [anna, berit] = ['anna@example.org', 'berit@example.org'];
  for (const email of [anna, berit]) {
    await createAccount(test.deps, { email, password: 'correct horse', groups: [] });
  }
  await setDisabled(test.deps, { email: berit, disabled: true });
  const signIn = (username: string, password: string) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/auth/token',
      payload: JSON.stringify({ username, password }),
    });
  await signIn(' Anna@example.org', 'geheimes Wort');
  await signIn(anna, 'geheimes Wort');
  await signIn(anna, 'geheimes Wort');
  await signIn(berit, 'correct horse');
  await signIn('nobody@example.org', 'geheimes Wort');
  await signIn('geheimes Wort', 'anna@example.org');
  expect(logged().map(({ level, msg, account, reason }) => [level, msg, account, reason])).toEqual([
    [40, 'sign-in refused', anna, 'wrong password'],
    [40, 'sign-in refused', anna, 'wrong password'],
    [40, 'sign-in refused', anna, expect.stringContaining('Too many')],
    [40, 'sign-in refused', berit, 'disabled account'],
    [40, 'sign-in refused', 'nobody@example.org', 'unknown account'],
    [40, 'sign-in refused', 'not an address', 'unknown account'],
  ]);
  expect(lines.join('')).not.toMatch(/geheimes|correct horse/);
});

it('an outage of the database is a line at its begin, one a minute, and one at its end with its length', async () => {
  const { app, logged } = await logging('warn');
  const { token } = await test.as('ADMIN_GBR');
  const create = () =>
    app.inject({
      method: 'POST',
      url: '/api/v1/competitions/',
      headers: { authorization: `Bearer ${token}` },
      payload: competition(),
    });
  const fault = `create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused' using errcode = '53100'; end $$;
    create trigger refusing before insert on competitions execute function refuse()`;
  await runSql(test.ownerUrl, fault);
  for (let seconds = 0; seconds < 150; seconds += 10) {
    expect((await create()).statusCode).toBe(503);
    test.clock.advance(10_000);
  }
  await app.inject('/healthz');
  await runSql(test.ownerUrl, 'drop trigger refusing on competitions');
  expect((await create()).statusCode).toBe(201);
  expect((await create()).statusCode).toBe(201);
  expect(logged().map(({ msg, seconds, requests }) => [msg, seconds, requests])).toEqual([
    ['the database fails requests', undefined, undefined],
    ['the database still fails requests', 60, 7],
    ['the database still fails requests', 120, 13],
    ['the database serves requests again', 150, 15],
  ]);
  expect(logged()[0]?.['err']).toMatchObject({ code: '53100' });
});

it('readiness that fails is told once, once a minute, and at its end, for each of its parts', async () => {
  const { app, logged } = await logging('warn');
  await runSql(test.ownerUrl, 'alter table outbox rename to elsewhere');
  for (let seconds = 0; seconds < 70; seconds += 10) {
    expect((await app.inject('/readyz')).statusCode).toBe(503);
    test.clock.advance(10_000);
  }
  await runSql(test.ownerUrl, 'alter table elsewhere rename to outbox');
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  expect(logged().map(({ msg, seconds, checks }) => [msg, seconds, checks])).toEqual([
    ['outbox check failed', undefined, undefined],
    ['outbox check still fails', 60, 7],
    ['outbox check succeeds again', 70, 7],
  ]);
});

it('what looks like a secret is blanked wherever it is logged, and a failed query shows none of its values', () => {
  const { lines, destination } = capture();
  const log = createLog('info', destination);
  log.info({ req: { url: '/a?token=geheim', headers: { authorization: 'Bearer geheim' } } });
  log.info({ password: 'geheim', account: { password: 'geheim' }, person: { date_of_birth: 'geheim' } });
  const failures = [
    { message: 'duplicate key', code: '23505', detail: 'Key (email)=(geheim)' },
    { message: 'invalid input syntax for type date: "geheim"', code: '22007' },
    { message: 'value "geheim" is out of range for type integer', code: '22003' },
  ];
  for (const failure of failures) {
    const cause = Object.assign(new Error(failure.message), failure);
    log.error({ err: new Error('Failed query: insert … params: geheim', { cause }) }, 'request failed');
  }
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain('"path":"/a"');
  expect(lines[1]?.split('[Redacted]')).toHaveLength(4);
  expect(lines.join('')).not.toContain('geheim');
  expect(lines.slice(2).map((line) => /"code":"(\w+)"/.exec(line)?.[1])).toEqual(['23505', '22007', '22003']);
});
