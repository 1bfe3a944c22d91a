// The purge of the feed of changes, by the numberer as every process runs it: what is too old goes, and nothing else.
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { type Change, keyOf, numberChanges, startNumbering } from '../helpers/feed.ts';
import { runSql } from '../helpers/sql.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const DAY_MS = 24 * 3600 * 1000;
const soon = { timeout: 20_000, interval: 20 };
const MEETING = {
  competitors: [{ competitor_id: '1', last_name: 'Lind' }],
  events: [{ event_id: 'LJ', event_code: 'LJ', units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }] }],
};
const OBJECTS = 4;

/** A service whose numberer leads; its clock is the test's. */
async function world(env: Record<string, string> = {}) {
  const app = await startTestApp({ RATE_LIMIT_WRITE: '0', ...env });
  app.clock.now = new Date();
  await numberChanges(app.deps);
  const admin = await app.as('ADMIN_GBR');
  const numberer = await startNumbering(app.deps, () => {});
  onTestFinished(async () => {
    await numberer.stop();
    await app.close();
  });
  await vi.waitFor(() => expect(numberer.leads()).toBe(true), soon);
  const feed = async () => (await app.get('/api/v1/changes')).body.changes as Change[];
  const rows = async () => {
    const [row] = await runSql(
      app.ownerUrl,
      `select (select count(*) from changes)::text as changes, (select count(*) from change_hints)::text as hints,
        (select count(*) from changed_competitions)::text as competitions`,
    );
    return row as { changes: string; hints: string; competitions: string };
  };
  return { app, admin, feed, rows };
}

/** As if everything of it had been deleted so many days later. */
const deletedLater = (url: string, id: string, days: number) =>
  runSql(
    url,
    `update changes set updated_at = updated_at + interval '${days} days' where competition_id = '${id}'`,
  );

test('a meeting deleted long ago is forgotten; one deleted of late, and one that is still there, however old, are told of', async () => {
  const { app, admin, feed, rows } = await world({ CHANGES_RETENTION_DAYS: '30' });
  const [old, late, standing] = [
    await uploadsInto(admin, MEETING),
    await uploadsInto(admin, MEETING),
    await uploadsInto(admin, MEETING),
  ];
  // Of what was never told nothing needs to be told when it goes.
  await vi.waitFor(async () => expect(await feed()).toHaveLength(3 * OBJECTS), soon);
  await admin.delete(old.path);
  await admin.delete(late.path);
  await vi.waitFor(
    async () => expect((await feed()).filter(({ deleted }) => deleted)).toHaveLength(2 * OBJECTS),
    soon,
  );
  await deletedLater(app.ownerUrl, late.id, 10);
  const told = async () => new Set((await feed()).map((change) => change.competition_id));
  app.clock.advance(29 * DAY_MS);
  expect(await told()).toEqual(new Set([old.id, late.id, standing.id]));
  app.clock.advance(2 * DAY_MS);
  await vi.waitFor(async () => expect(await told()).toEqual(new Set([late.id, standing.id])), soon);
  app.clock.advance(10 * DAY_MS);
  await vi.waitFor(async () => expect(await told()).toEqual(new Set([standing.id])), soon);
  app.clock.advance(1000 * DAY_MS);
  expect(await told()).toEqual(new Set([standing.id]));
  expect(await rows()).toMatchObject({ changes: String(OBJECTS), competitions: '1' });
});

test('what is saved, deleted and made again leaves a row for each object and none for each time', async () => {
  const { app, admin, feed, rows } = await world();
  const { path } = await uploadsInto(admin, MEETING);
  const unit = `${path}/events/LJ/units/1/1`;
  const save = (n: number) => admin.patch(unit, { results: [{ bib: '1', performance: `6.${10 + n}` }] });
  for (let n = 0; n < 10; n += 1) {
    expect((await save(n)).status).toBe(200);
    if (n % 4 === 0) await admin.delete(unit);
    if (n % 4 === 0) await admin.post(path, { events: MEETING.events });
    await numberChanges(app.deps);
  }
  await vi.waitFor(async () => expect((await rows()).hints).toBe('0'), soon);
  const changes = await feed();
  expect(new Set(changes.map(keyOf)).size).toBe(changes.length);
  expect(await rows()).toEqual({ changes: String(OBJECTS), hints: '0', competitions: '1' });
});
