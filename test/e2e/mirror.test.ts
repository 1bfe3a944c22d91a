// A mirror of a real service, while both are killed: at the end every file is what the site answers, and there is no other.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { get, signedIn, type ApiClient } from '../helpers/http-client.ts';
import { read } from '../helpers/house.ts';
import { filesIn, filesOfSite, mirrorOnce, newFolder } from '../helpers/mirror.ts';
import { runNginx, withoutNginx } from '../helpers/nginx.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, launch, makeAccount, startServerProcess } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

const meeting = (name: string, country_id = 'GBR') => ({
  full_name: `Meeting ${name}`,
  slug: name,
  country_id,
  date: '2026-07-18',
  competitors: [{ competitor_id: '1', last_name: 'Lind' }],
  events: ['T1', '100 m Männer'].map((event_id) => ({
    event_id,
    event_code: '100',
    units: [
      { round: 1, heat: 1, results: [{ bib: '1' }] },
      { round: 1, heat: 2 },
      { round: 2, heat: 1 },
    ],
  })),
});

// More than a mirror needs for one, so that both sides are killed in the midst of something.
const BETWEEN_SAVES_MS = 40;

/** Saves, renames, deletions and new meetings, one after the other. A server that is away has its work repeated. */
async function write(api: ApiClient, ids: string[], over: () => boolean): Promise<number> {
  const call = async (...request: Parameters<ApiClient>) => {
    while (!over()) {
      const reply = await api(...request).catch(() => undefined);
      if (reply && reply.status! < 500) return reply;
      await sleep(20);
    }
    return undefined;
  };
  let n = 0;
  for (; !over(); n += 1) {
    await sleep(BETWEEN_SAVES_MS);
    const path = `/competitions/${ids[n % ids.length]}`;
    const results = [{ bib: '1', performance: (10 + n / 100).toFixed(2) }];
    await call('PATCH', `${path}/events/T1/units/1/1`, { results });
    if (n % 5 === 1) await call('POST', path, { slug: `renamed-${n}` });
    if (n % 5 === 2) await call('DELETE', `${path}/events/${encodeURIComponent('100 m Männer')}`);
    if (n % 5 === 3) await call('POST', path, { events: meeting('').events });
    if (n % 5 === 4) {
      const passing = await call('POST', '/competitions/', meeting(`passing-${n}`));
      if (passing?.body?.id && n % 2) await call('DELETE', `/competitions/${passing.body.id}`);
    }
  }
  return n;
}

async function world() {
  const env = { ...(await databaseEnvironment()), PORT: String(await freePort()), RATE_LIMIT_WRITE: '0' };
  const account = await makeAccount(env.DATABASE_MIGRATION_URL, 'ADMIN_GBR');
  const server = await startServerProcess(env);
  const api = await signedIn(server.baseUrl, account);
  const ids: string[] = [];
  for (const country of ['GBR', 'ENG', 'GBR'])
    ids.push((await api('POST', '/competitions/', meeting(`own-${ids.length}`, country))).body.id);
  const folder = await newFolder();
  const start = () =>
    launch('src/cli.ts', {}, { args: ['mirror', '--from', server.baseUrl, '--to', folder] });
  return { env, server, api, ids, folder, start };
}

const PATIENT = { timeout: 120_000 };

test(
  'everything is there again after a kill of the mirror or of the service, whatever was saved meanwhile',
  PATIENT,
  async () => {
    const { env, server, api, ids, folder, start } = await world();
    const isEqual = async () => {
      const site = await filesOfSite(server.baseUrl);
      await expect.poll(() => filesIn(folder), { timeout: 30_000, interval: 100 }).toEqual(site);
    };
    let over = false;
    onTestFinished(() => {
      over = true;
    });
    const writing = write(api, ids, () => over);
    const first = start();
    await first.until(/own-|renamed-/);
    await sleep(150);
    await first.kill('SIGKILL');
    const second = start();
    await second.until(/x\/2026\/GBR\/.* written/);
    await server.kill('SIGKILL');
    await second.until(/server: away \(.*\); waiting/);
    await serve(env);
    await second.until(/server: there again/);
    await sleep(500);
    over = true;
    expect(await writing).toBeGreaterThan(5);
    await isEqual();

    // One mirror keeps a folder, and no folder becomes a mirror that holds something else.
    expect(await mirrorOnce(server.baseUrl, folder)).toMatchObject({
      code: 1,
      err: `Error: Another process keeps the mirror in ${folder}`,
    });
    const strange = join(folder, 'x');
    expect((await mirrorOnce(server.baseUrl, strange)).err).toMatch(/is not empty and no mirror/);

    // Two saves within a second, equally long: a web server must not take the one for the other.
    const unit = join(
      folder,
      `x/2026/ENG/${(await api('GET', `/competitions/${ids[1]}`)).body.slug}/event/T1/1/1/json/index.json`,
    );
    const times = new Set<number>();
    for (const performance of ['10.01', '10.02', '10.03']) {
      await api('PATCH', `/competitions/${ids[1]}/events/T1/units/1/1`, {
        results: [{ bib: '1', performance }],
      });
      await expect.poll(() => readFile(unit, 'utf8')).toContain(performance);
      times.add(Math.floor((await stat(unit)).mtimeMs / 1000));
    }
    expect(times.size).toBe(3);
    await second.kill('SIGKILL');

    // What it does not hear of any more, because the database was restored meanwhile, goes too; what stays is there all the time.
    await api('DELETE', `/competitions/${ids[0]}`);
    await runSql(
      env.DATABASE_MIGRATION_URL,
      `delete from changes where deleted; update change_feed set epoch = '0123456789ab'`,
    );
    await writeFile(unit, 'damaged');
    const state = { missing: 0, looks: 0, over: false };
    const watching = (async () => {
      for (; !state.over; state.looks += 1) {
        await stat(unit).catch(() => (state.missing += 1));
        await sleep(1);
      }
    })();
    const anew = await mirrorOnce(server.baseUrl, folder);
    state.over = true;
    await watching;
    expect(anew).toMatchObject({ code: 0, out: expect.stringMatching(/^beginning anew: .*\n/) });
    expect(state.missing).toBe(0);
    expect(state.looks).toBeGreaterThan(0);
    await isEqual();
    expect(await mirrorOnce(server.baseUrl, folder)).toEqual({ code: 0, out: '', err: '' });
    // A state that is lost costs a reading of everything, and leaves nothing behind.
    await api('DELETE', `/competitions/${ids[2]}`);
    await rm(join(folder, '.mirror/state.json'));
    expect((await mirrorOnce(server.baseUrl, folder)).code).toBe(0);
    await isEqual();
    for (const damaged of [unit, `${unit}.gz`]) await writeFile(damaged, damaged === unit ? '{}' : 'no gzip');
    expect((await mirrorOnce(server.baseUrl, folder, '--verify')).code).toBe(0);
    await isEqual();
    if (!withoutNginx) await behindNginx(folder, server.baseUrl);
  },
);

/** A service that tells of what it likes, and has a document for whatever is asked. */
async function strangeService(changes: object[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url!;
    if (!url.startsWith('/api/')) asked.push(url);
    const page = { epoch: '0', changes, next: '0-1', more: false };
    response.statusCode = url.includes('/forbidden/') ? 403 : 200;
    response.end(JSON.stringify(url.startsWith('/api/') ? page : { url, detail: 'Not\u001b[2J\nfor you' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const told = (more: object) => ({
  cursor: '0-1',
  type: 'event',
  competition_id: '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11',
  year: 2026,
  country_id: 'GBR',
  slug: 'open',
  event_id: null,
  round_no: null,
  heat_no: null,
  competitor_id: null,
  team_id: null,
  relay_team_id: null,
  revision: 1,
  url: 'file:///etc/passwd',
  deleted: false,
  updated_at: '',
  ...more,
});

test('whatever a service calls its events, nothing is written outside of the folder, and refusals are told of', async () => {
  const names = [
    '../../../../../out',
    '..',
    '/etc/out',
    'a\\..\\b',
    'nul\0',
    'n'.repeat(300),
    'T1',
    't1',
    '%2e%2e%2fout',
    'forbidden',
  ];
  const changes = [
    told({ type: 'competition' }),
    ...names.map((event_id) => told({ event_id })),
    told({ competition_id: 'other', slug: '../out' }),
    told({ type: 'something new' }),
    told({ type: 'unit', event_id: 'forbidden', round_no: 1, heat_no: 1 }),
  ];
  const { baseUrl, asked } = await strangeService(changes);
  const folder = await newFolder();
  const { code, out, err } = await mirrorOnce(baseUrl, folder);
  expect({ code, err }).toEqual({ code: 1, err: 'Error: 12 refused, as said above' });
  expect(out.match(/: refused, /g)).toHaveLength(12);
  // oxlint-disable-next-line no-control-regex -- none may be on somebody's terminal
  expect(out).not.toMatch(/[\0-\x09\x0b-\x1f]/);
  expect((await readdir(dirname(folder))).toSorted()).toEqual(['mirror']);
  const events = new Set([...(await filesIn(folder)).keys()].map((path) => /event\/([^/]+)/.exec(path)?.[1]));
  expect(events).toEqual(new Set([undefined, 'T1', '%2e%2e%2fout']));
  expect(asked.filter((url) => /out|etc/.test(url.replaceAll('%252e%252e%252fout', '')))).toEqual([]);
  // Told of in every run, for as long as it lasts.
  expect(await mirrorOnce(baseUrl, folder)).toMatchObject({ code: 1, err });
});

test('what is no service, or is away, is an error in one line', async () => {
  const folder = await newFolder();
  const server = createServer((_request, response) => response.writeHead(404).end('<html>')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await mirrorOnce(baseUrl, folder)).err).toBe(
    `Error: ${baseUrl} has no feed of changes: status 404`,
  );
  server.close();
  server.closeAllConnections();
  expect((await mirrorOnce(baseUrl, folder)).err).toMatch(/^Error: The server is away: .*$/);
  expect((await mirrorOnce('results', folder)).err).toMatch(/^Error: results is no address: .*$/);
});

/** The README's own words in front of the folder. */
async function behindNginx(folder: string, baseUrl: string) {
  const [, server] = /```nginx\n([^]*?)```/.exec(read('README.md'))!;
  const port = await freePort();
  const filled = server!.replace('listen 8080', `listen 127.0.0.1:${port}`).replace('/srv/mirror', folder);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  );
  const nginx = await runNginx(
    port,
    `pid nginx.pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')} ${filled} }`,
  );
  for (const path of ['/x/2026/json/', '/x/2026/GBR/json', '/de/x/2026/ENG/json/']) {
    const [there, here] = [await get(baseUrl + path), await get(nginx.baseUrl + path)];
    expect([path, here.status, here.text]).toEqual([path, 200, there.text]);
    expect(here.headers).toMatchObject({
      'content-type': there.headers['content-type'],
      'access-control-allow-origin': '*',
    });
    const tag = here.headers.etag!;
    expect((await get(nginx.baseUrl + path, { 'if-none-match': tag })).status).toBe(304);
  }
  const unit = [...(await filesIn(folder)).keys()].find((path) =>
    /Männer\/1\/1\/json\/index.json$/.test(path),
  )!;
  const path = `/${unit.replace('index.json', '').split('/').map(encodeURIComponent).join('/')}`;
  expect((await get(nginx.baseUrl + path)).body).toMatchObject({ event_id: '100 m Männer', round: 1 });
  const compressed = await get(`${nginx.baseUrl}/x/2026/json/`, { 'accept-encoding': 'gzip' });
  expect(compressed.headers['content-encoding']).toBe('gzip');
  for (const none of ['/.mirror/state.json', '/x/2026/FRA/json/', '/x/2026/json/index.json', '/'])
    expect([none, (await get(nginx.baseUrl + none)).status]).toEqual([none, 404]);
}
