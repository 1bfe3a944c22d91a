import { expect, it, vi } from 'vitest';
import { dataFolder } from '../helpers/embedded-process.ts';
import { get, signedIn } from '../helpers/http-client.ts';
import { listenRaw } from '../helpers/push-client.ts';
import { serve } from '../helpers/running-server.ts';
import { cli, databaseEnvironment, launch, makeAccount, startServerProcess } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

const MEETING = { full_name: 'Server Meeting', slug: 'server', country_id: 'GBR', date: '2026-07-18' };
const PASSWORD = 'correct horse';
const PATIENCE = { timeout: 5000, interval: 20 };
const createLine = (email: string) => [
  'account',
  'create',
  '--email',
  email,
  '--password',
  PASSWORD,
  '--group',
  'ADMIN_GBR',
];

it('a bad environment stops the start with one line for each key', async () => {
  const program = launch('src/main.ts', {
    PORT: 'high',
    DATABASE_URL: 'mysql://localhost/athletics',
    LOG_LEVEL: 'loud',
  });
  expect(await program.ended).toBe(1);
  expect(program.written.stdout).toBe('');
  const lines = program.written.stderr.trimEnd().split('\n');
  expect(lines.map((line) => line.split(':')[0])).toEqual(['PORT', 'DATABASE_URL', 'LOG_LEVEL']);
});

it('a start that fails half-way says why, and leaves no connection to the database', async () => {
  const { baseUrl } = await serve(await databaseEnvironment());
  const env = await databaseEnvironment();
  const second = serve({ ...env, PORT: new URL(baseUrl).port });
  await expect(second).rejects.toThrow(/^PORT \d+ is in use on 127\.0\.0\.1: /);
  const connected = `select pid::text from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  await vi.waitFor(async () => expect(await runSql(env.DATABASE_URL, connected)).toEqual([]), PATIENCE);
});

it('a server told to stop sends push clients away to come back, and exits with 0', async () => {
  const server = await startServerProcess(await databaseEnvironment());
  const client = await listenRaw(server.baseUrl, 'x-2026-GBR-server-overview');
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(await client.closed).toBe(4100);
});

it('a server killed and started again serves what it had answered for', async () => {
  const env = { DATA_DIR: await dataFolder() };
  const server = await startServerProcess(env);
  const email = 'anna@example.org';
  expect(await cli(env, ...createLine(email))).toMatchObject({ code: 0, err: '' });
  const api = await signedIn(server.baseUrl, { email, password: PASSWORD });
  expect((await api('POST', '/competitions/', MEETING)).status).toBe(201);
  await server.kill('SIGKILL');
  const again = await startServerProcess(env);
  expect((await get(`${again.baseUrl}/x/2026/GBR/server/json/`)).body).toMatchObject(MEETING);
  await again.kill('SIGTERM');
}, 120_000);

it('two servers on one data folder both answer, and each outlives the other', async () => {
  const env = { DATA_DIR: await dataFolder('data with spaces') };
  const first = await startServerProcess(env);
  const second = await startServerProcess(env);
  for (const { baseUrl } of [first, second]) {
    expect((await get(`${baseUrl}/readyz`)).status).toBe(200);
  }
  expect(await first.kill('SIGTERM')).toBe(0);
  const email = 'anna@example.org';
  expect(await cli(env, ...createLine(email))).toMatchObject({ code: 0, err: '' });
  const api = await signedIn(second.baseUrl, { email, password: PASSWORD });
  expect((await api('POST', '/competitions/', MEETING)).status).toBe(201);
  const third = await startServerProcess(env);
  expect(await second.kill('SIGTERM')).toBe(0);
  expect((await get(`${third.baseUrl}/x/2026/GBR/server/json/`)).status).toBe(200);
  expect(await third.kill('SIGTERM')).toBe(0);
}, 120_000);

it('account commands work beside a running server, at once, and without one', async () => {
  const env = { DATA_DIR: await dataFolder() };
  const [email, later] = ['anna@example.org', 'later@example.org'];
  expect(await cli(env, ...createLine(email))).toMatchObject({ code: 0, err: '' });
  const server = await startServerProcess(env);
  const api = await signedIn(server.baseUrl, { email, password: PASSWORD });
  expect((await api('GET', '/auth/me')).body.groups).toEqual(['ADMIN_GBR']);
  await cli(env, 'account', 'grant', '--email', email, '--group', 'ADMIN_GER');
  expect((await api('GET', '/auth/me')).body.groups).toEqual(['ADMIN_DEU', 'ADMIN_GBR']);
  await cli(env, 'account', 'disable', '--email', email);
  expect((await api('GET', '/auth/me')).status).toBe(401);
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(await cli(env, ...createLine(later))).toMatchObject({ code: 0, err: '' });
  const listed = await cli(env, 'account', 'list');
  expect(listed.out).toBe(`${email}   ADMIN_DEU ADMIN_GBR  (disabled)\n${later}  ADMIN_GBR\n`);
}, 120_000);

it('a start on a database that cannot be reached ends with exit code 1, without showing the password', async () => {
  const env = { ...(await databaseEnvironment()), DATABASE_URL: 'postgres://anna:geheim@127.0.0.1:1/none' };
  const program = launch('src/main.ts', env);
  expect(await program.ended).toBe(1);
  expect(program.written.stderr).toContain('ECONNREFUSED');
  expect(program.written.stderr + program.written.stdout).not.toContain('geheim');
});

it('what one server has stored is served by another server of the same database at once', async () => {
  const env = await databaseEnvironment();
  const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
  const [first, second] = [await startServerProcess(env), await startServerProcess(env)];
  const created = await (await signedIn(first.baseUrl, account))('POST', '/competitions/', MEETING);
  const read = await get(`${second.baseUrl}/x/2026/GBR/server/json/`);
  expect(read.body.id).toBe(created.body.id);
});
