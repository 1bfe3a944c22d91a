import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { runCommandAt } from '../helpers/cli.ts';
import { dataFolder } from '../helpers/embedded-process.ts';
import { get, signIn, withToken } from '../helpers/http-client.ts';
import { arrived, listen, listenRaw } from '../helpers/push-client.ts';
import { serve } from '../helpers/running-server.ts';
import { cli, databaseEnvironment, launch, makeAccount, startServerProcess } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

const MEETING = { full_name: 'Server Meeting', slug: 'server', country_id: 'GBR', date: '2026-07-18' };
const PASSWORD = 'correct horse';
const PATIENCE = { timeout: 20_000, interval: 20 };
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

it('a .env in the working directory is read, by the command line too, and the environment wins; told to stop, it sends push clients away to come back', async () => {
  const { DATABASE_URL, ...env } = await databaseEnvironment();
  const cwd = env.DATA_DIR;
  const file = `DATABASE_URL=${DATABASE_URL}\nENVIRONMENT="stadium" # shown by ping\nPORT=abc\n`;
  await writeFile(join(cwd, '.env'), file);
  const server = await startServerProcess(env, { cwd });
  const { body } = await get(`${server.baseUrl}/api/v1/ping/`);
  expect(body).toMatchObject({ enviroment: 'stadium' });
  const { email } = await makeAccount(DATABASE_URL);
  const listing = { args: ['account', 'list'], cwd };
  const listed = launch('src/cli.ts', { ...env, PORT: '' }, listing);
  expect([await listed.ended, listed.written]).toEqual([0, { stdout: `${email}  no groups\n`, stderr: '' }]);
  const refused = launch('src/cli.ts', env, listing);
  expect(await refused.ended).toBe(1);
  expect(refused.written.stderr).toMatch(/^Error: PORT: must be a whole number/);
  const client = await listenRaw(server.baseUrl, 'x-2026-GBR-server-overview');
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(await client.closed).toBe(4100);
});

it('a .env that cannot be read stops the start, with one line', async () => {
  const env = await databaseEnvironment();
  const cwd = env.DATA_DIR;
  await mkdir(join(cwd, '.env'));
  for (const script of ['src/main.ts', 'src/cli.ts']) {
    const program = launch(script, env, { args: script === 'src/cli.ts' ? ['account', 'list'] : [], cwd });
    expect(await program.ended).toBe(1);
    expect(program.written).toEqual({ stdout: '', stderr: '.env cannot be read (EISDIR)\n' });
  }
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

it('servers on one data folder are one service, for push clients and account commands too, and each outlives the other', async () => {
  const env = { DATA_DIR: await dataFolder('data with spaces') };
  const email = 'anna@example.org';
  // Without a server. On a slow machine it says meanwhile that it waits for the database.
  expect((await cli(env, ...createLine(email))).code).toBe(0);
  const first = await startServerProcess(env);
  const second = await serve(env);
  for (const { baseUrl } of [first, second]) {
    expect((await get(`${baseUrl}/readyz`)).status).toBe(200);
  }
  const token = await signIn(first.baseUrl, { email, password: PASSWORD });
  const [firstApi, api] = [withToken(first.baseUrl, token), withToken(second.baseUrl, token)];
  const grant = ['account', 'grant', '--email', email, '--group', 'ADMIN_GER'];
  expect(await runCommandAt(env, ...grant)).toMatchObject({ code: 0, err: '' });
  for (const one of [firstApi, api]) {
    expect((await one('GET', '/auth/me')).body.groups).toEqual(['ADMIN_DEU', 'ADMIN_GBR']);
  }
  const created = await firstApi('POST', '/competitions/', MEETING);
  expect(created.status).toBe(201);
  const path = `/competitions/${created.body.id}`;
  await firstApi('PATCH', `${path}/settings`, { push_notifications: true });
  const clients = [
    await listen(first.baseUrl, '8', ['x-2026-GBR-server-overview']),
    await listen(second.baseUrl, '8', ['x-2026-GBR-server-overview']),
  ];
  const sprint = { event_id: 'T1', event_code: '100', name: '100 m' };
  for (const [save, performance] of [
    [firstApi, '11.42'],
    [api, '11.43'],
  ] as const) {
    const units = [{ round: 1, heat: 1, results_status: 'seeded', results: [] }];
    await save('POST', path, { events: [{ ...sprint, units }] });
    const official = { results_status: 'official', results: [{ bib: '7', performance, place: 1 }] };
    expect((await save('PATCH', `${path}/events/T1/units/1/1`, official)).status).toBe(200);
  }
  for (const client of clients) {
    const events = await arrived(client, 2);
    expect(events.map(({ data }) => (data as { winner_performance: string }).winner_performance)).toEqual([
      '11.42',
      '11.43',
    ]);
  }
  expect(await first.kill('SIGTERM')).toBe(0);
  expect((await api('POST', path, { city: 'Harbour Town' })).status).toBe(200);
  const third = await startServerProcess(env);
  await second.stop();
  const served = await get(`${third.baseUrl}/x/2026/GBR/server/json/`);
  expect(served.body).toMatchObject({ ...MEETING, city: 'Harbour Town' });
  await runCommandAt(env, 'account', 'disable', '--email', email);
  expect((await withToken(third.baseUrl, token)('GET', '/auth/me')).status).toBe(401);
  expect(await third.kill('SIGTERM')).toBe(0);
  // It starts the database again, with the same word about it on a slow machine.
  const listed = await cli(env, 'account', 'list');
  expect(listed).toMatchObject({ code: 0, out: `${email}  ADMIN_DEU ADMIN_GBR  (disabled)\n` });
  expect(listed.err.replace(/^\{.*"Still waiting for the database"\}\n/, '')).toBe('');
}, 120_000);
