import { rm } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { firstReleaseDatabase } from '../helpers/first-release.ts';
import { get, signIn, withToken } from '../helpers/http-client.ts';
import { serve } from '../helpers/running-server.ts';
import { runSql } from '../helpers/sql.ts';
import { makeTestFolder } from '../helpers/temporary.ts';
import { FORMER_PAGE, MEETING_PAGE, UNIT_PAGE } from '../helpers/whole-meeting.ts';

async function emptyTables(url: string): Promise<string[]> {
  const tables = await runSql(url, `select tablename as name from pg_tables where schemaname = 'public'`);
  const counted = tables.map(async ({ name }) => {
    const rows = await runSql(url, `select from ${name} limit 1`);
    return rows.length === 0 ? [name!] : [];
  });
  return (await Promise.all(counted)).flat();
}

it('a database of the first release is served by the present program, with everything that is in it', async () => {
  const url = await firstReleaseDatabase();
  expect(await emptyTables(url)).toEqual([]);
  const [unitBefore] = await runSql(url, `select text from units where event_id = 'F1'`);
  const folder = await makeTestFolder();
  const env = { DATABASE_URL: url, DATA_DIR: folder, JWT_SECRET: 'x'.repeat(32) };
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { baseUrl } = await serve(env);
  expect((await get(`${baseUrl}/readyz`)).body.checks.migrations).toEqual({ status: 'ok', pending: 0 });

  const meeting = (await get(baseUrl + MEETING_PAGE)).body;
  expect(meeting).toMatchObject({
    full_name: 'Harbour Night of Athletics',
    competitors: [{ last_name: 'Okafor', age: 25 }, { last_name: 'Þórsdóttir' }, { last_name: 'van Rijn' }],
    teams: [{ team_name: 'Harbour Town AC' }],
    relay_teams: [{ name: 'Harbour A', runners: ['102', '103'] }],
    events: [{ event_id: 'F1' }, { event_id: 'T1' }, { event_id: 'R1' }],
  });
  expect(meeting).not.toHaveProperty('organiser_note');
  const unit = (await get(baseUrl + UNIT_PAGE)).body;
  const { revision, updated_at: _updated, ...content } = JSON.parse(unitBefore!['text']!);
  // What the first release did not derive: it is rendered again.
  expect(unit).toMatchObject({ ...content, status: 'in_progress' });
  expect(unit.trials).toHaveLength(4);
  expect((await get(baseUrl + FORMER_PAGE)).status).toBe(308);

  const account = { email: 'anna@example.org', password: 'correct horse' };
  const api = withToken(baseUrl, await signIn(baseUrl, account));
  expect((await api('GET', '/auth/me')).body).toMatchObject({ groups: ['ADMIN_DEU', 'ADMIN_GBR'] });
  expect((await api('GET', '/competitions/')).body).toMatchObject([
    { id: meeting.id, slug: 'harbour-night' },
  ]);
  const path = `/competitions/${meeting.id}`;
  expect((await api('GET', path)).body).toMatchObject({ organiser_note: 'kept as sent' });
  expect((await api('GET', `${path}/settings`)).body).toEqual({
    push_notifications: true,
    directors: ['anna@example.org', 'berit@example.org'],
  });

  const saved = await api('POST', `${path}/events/F1/units/1/1/attempts`, {
    bib: '103',
    round: 2,
    result: '6.50',
  });
  expect(saved).toMatchObject({ status: 201, body: { unit: { results: [{}, {}, { place: 1 }] } } });
  expect(saved.body.unit.revision).toBeGreaterThan(revision);
  expect((await get(baseUrl + UNIT_PAGE)).body).toEqual(saved.body.unit);
  const waiting = 'select id from outbox where not dead';
  await vi.waitFor(async () => expect(await runSql(url, waiting)).toEqual([]), { timeout: 20_000 });
}, 60_000);
