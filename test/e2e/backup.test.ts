import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/db/embedded/processes.ts';
import { dataFolder, usedFolder } from '../helpers/embedded-process.ts';
import { get, signIn, withToken } from '../helpers/http-client.ts';
import { INSTALLED, skippedWithoutPostgres, startInstalledPostgres } from '../helpers/installed-postgres.ts';
import { serve } from '../helpers/running-server.ts';
import { makeAccount } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';
import { FORMER_PAGE, MEETING_PAGE, storeWholeMeeting, UNIT_PAGE } from '../helpers/whole-meeting.ts';

/** Everything that is to be the same afterwards, as its readers get it. */
async function seen(baseUrl: string, token: string, path: string) {
  const api = withToken(baseUrl, token);
  const former = await get(`${baseUrl}${FORMER_PAGE}`);
  return {
    meeting: (await get(baseUrl + MEETING_PAGE)).text,
    unit: (await get(baseUrl + UNIT_PAGE)).text,
    former: former.status,
    list: (await api('GET', '/competitions/')).text,
    everything: (await api('GET', `${path}?include=competitors,teams,relay_teams,events`)).text,
    settings: (await api('GET', `${path}/settings`)).text,
    me: (await api('GET', '/auth/me')).text,
    pushKey: (await get(`${baseUrl}/api/v1/push`)).body.key,
  };
}

async function fill(server: { baseUrl: string; databaseUrl: string }) {
  const account = await makeAccount(server.databaseUrl, 'ADMIN_GBR');
  const director = await makeAccount(server.databaseUrl);
  const token = await signIn(server.baseUrl, account);
  const path = await storeWholeMeeting(withToken(server.baseUrl, token), director.email);
  const before = await seen(server.baseUrl, token, path);
  expect(before).toMatchObject({ former: 308, me: expect.stringContaining(account.email) });
  expect(before.settings).toContain(director.email);
  // Changes get their numbers after the saves: the feed is whole when none waits.
  const waiting = async () => (await get(`${server.baseUrl}/readyz`)).body.checks.changes.waiting as number;
  await expect.poll(waiting).toBe(0);
  return { token, path, before };
}

type Content = Awaited<ReturnType<typeof fill>>;

const seenAgain = ({ baseUrl }: { baseUrl: string }, { token, path }: Content) => seen(baseUrl, token, path);

/** How much higher the revision of the next save is than the highest before. */
async function stepOfRevision(
  { baseUrl }: { baseUrl: string },
  { token, path, before }: Content,
  result: string,
) {
  const attempt = { bib: '101', round: 2, result };
  const api = withToken(baseUrl, token);
  const { body } = await api('POST', `${path}/events/F1/units/1/1/attempts`, attempt);
  return body.unit.revision - JSON.parse(before.meeting).revision;
}

/** The epoch of the feed of changes, and what it says to whoever follows it since before the restore. */
async function feedOf({ baseUrl }: { baseUrl: string }, followed?: { next: string }) {
  const fresh = await get(`${baseUrl}/api/v1/changes`);
  const goesOn = followed && (await get(`${baseUrl}/api/v1/changes?after=${followed.next}`)).status;
  const { epoch, next, changes } = fresh.body as { epoch: string; next: string; changes: unknown[] };
  return { epoch, next, objects: changes.length, goesOn };
}

const AHEAD = 1_000_000;
const JWT_SECRET = 'the secret that is kept with the backup';

describe.skipIf(!INSTALLED)(`an external database${skippedWithoutPostgres}`, () => {
  it('dumped while a server runs and restored, by the same role or by another, serves every reader the same bytes, and goes on from there', async () => {
    const postgres = await startInstalledPostgres();
    const onServer = (text: string) => runSql(postgres.url('postgres'), text);
    await onServer('create database athletics');
    await onServer('create role other login');
    const first = await serve({
      DATABASE_URL: postgres.url('athletics'),
      DATA_DIR: await dataFolder(),
      JWT_SECRET,
    });
    const content = await fill(first);
    const feed = await feedOf(first);
    const file = join(postgres.folder, 'athletics.dump');
    await postgres.run('pg_dump', '-Fc', '-f', file, '-d', postgres.url('athletics'));
    await first.stop();
    for (const [role, options] of [
      ['owner', []],
      ['other', ['--no-owner']],
    ] as const) {
      await onServer(`create database restored_by_${role} owner ${role}`);
      const url = postgres.url(`restored_by_${role}`, role);
      await postgres.run('pg_restore', ...options, '--exit-on-error', '-d', url, file);
      const second = await serve({ DATABASE_URL: url, DATA_DIR: await dataFolder(), JWT_SECRET });
      expect(await seenAgain(second, content)).toEqual(content.before);
      const again = await feedOf(second, feed);
      expect(again).toMatchObject({ objects: feed.objects, goesOn: 410 });
      expect(again.epoch).not.toBe(feed.epoch);
      expect(await stepOfRevision(second, content, '6.30')).toBeGreaterThan(0);
      // As the README says, for clients that were connected after the dump and know higher revisions.
      await runSql(url, `select setval('revisions', nextval('revisions') + ${AHEAD})`);
      expect(await stepOfRevision(second, content, '6.31')).toBeGreaterThan(AHEAD);
      await second.stop();
    }
  }, 60_000);
});

/** Where the README tells pg_dump to look. */
async function addressInFiles(folder: string): Promise<string> {
  const script =
    'printf %s "$(cat "$1/postgres/password")@127.0.0.1:$(sed -n 4p "$1/postgres/data/postmaster.pid")"';
  return `postgres://athletics:${await run('sh', ['-c', script, 'sh', folder])}/athletics`;
}

it('a copy of DATA_DIR made while the server was stopped serves every reader the same bytes, and goes on from there', async () => {
  const folder = await usedFolder();
  const first = await serve({ DATA_DIR: folder });
  const content = await fill(first);
  const feed = await feedOf(first);
  const [found] = await runSql(await addressInFiles(folder), 'select count(*)::text as n from competitions');
  expect(found).toEqual({ n: '1' });
  await first.stop();
  const copy = await dataFolder('copy');
  await run('cp', ['-a', folder, copy]);
  const second = await serve({ DATA_DIR: copy });
  expect(await seenAgain(second, content)).toEqual(content.before);
  // Both folders may be served from now on: numbers of the one mean nothing in the other.
  expect(await feedOf(second, feed)).toMatchObject({ objects: feed.objects, goesOn: 410 });
  expect(await stepOfRevision(second, content, '6.30')).toBeGreaterThan(0);
}, 60_000);
