import { expect, it, onTestFinished } from 'vitest';
import { setDisabled } from '../../src/accounts/change-account.ts';
import { createAccount } from '../../src/accounts/create-account.ts';
import { buildApp } from '../../src/app.ts';
import { createLog } from '../../src/log.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

function capture() {
  const lines: string[] = [];
  return { lines, destination: { write: (line: string) => void lines.push(line) } };
}

it('every request is in the log under the id that its answer carries, without token, password or body', async () => {
  const test = await startTestApp();
  const { lines, destination } = capture();
  const app = await buildApp(
    { ...test.deps, log: createLog('trace', destination) },
    { baseUrl: () => '', pushServer: null },
  );
  onTestFinished(async () => {
    await app.close();
    await test.close();
  });
  const { token } = await test.as('ADMIN_GBR');
  const signIn = await app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'username=nobody@example.org&password=geheimes',
  });
  const list = await app.inject({ url: '/api/v1/auth/me', headers: { authorization: `Bearer ${token}` } });
  expect([signIn.statusCode, list.statusCode]).toEqual([401, 200]);
  for (const { headers } of [signIn, list]) {
    const mine = lines.filter((line) => line.includes(`"reqId":"${String(headers['x-request-id'])}"`));
    expect(mine.length).toBeGreaterThan(0);
  }
  expect(lines.join('')).not.toContain('geheimes');
  expect(lines.join('')).not.toContain(token);
});

it('a refused sign-in is a warning that names the account and the reason, never what was typed as a password', async () => {
  const test = await startTestApp({ RATE_LIMIT_LOGIN: '2' });
  const { lines, destination } = capture();
  const app = await buildApp(
    { ...test.deps, log: createLog('warn', destination) },
    { baseUrl: () => '', pushServer: null },
  );
  onTestFinished(async () => {
    await app.close();
    await test.close();
  });
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
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.map(({ level, msg, account, reason }) => [level, msg, account, reason])).toEqual([
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
  const test = await startTestApp();
  const { lines, destination } = capture();
  const app = await buildApp(
    { ...test.deps, log: createLog('warn', destination) },
    { baseUrl: () => '', pushServer: null },
  );
  onTestFinished(async () => {
    await app.close();
    await test.close();
  });
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
  await test.db.$client.query(fault);
  for (let seconds = 0; seconds < 150; seconds += 10) {
    expect((await create()).statusCode).toBe(503);
    test.clock.advance(10_000);
  }
  await app.inject('/healthz');
  await test.db.$client.query('drop trigger refusing on competitions');
  expect((await create()).statusCode).toBe(201);
  expect((await create()).statusCode).toBe(201);
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.map(({ msg, seconds, requests }) => [msg, seconds, requests])).toEqual([
    ['the database fails requests', undefined, undefined],
    ['the database still fails requests', 60, 7],
    ['the database still fails requests', 120, 13],
    ['the database serves requests again', 150, 15],
  ]);
  expect(logged[0]?.['err']).toMatchObject({ code: '53100' });
});

it('what looks like a secret is blanked wherever it is logged, and a failed query shows none of its parameters', () => {
  const { lines, destination } = capture();
  const log = createLog('info', destination);
  log.info({ req: { headers: { authorization: 'Bearer geheim' } }, account: { password: 'geheim' } });
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(geheim)' });
  log.error({ err: new Error('Failed query: insert … params: geheim', { cause }) }, 'request failed');
  expect(lines).toHaveLength(2);
  expect(lines[0]?.split('[Redacted]')).toHaveLength(3);
  expect(lines.join('')).not.toContain('geheim');
  expect(lines[1]).toContain('23505');
});
