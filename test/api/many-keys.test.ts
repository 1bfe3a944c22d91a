// More keys in one request than a statement may have parameters, 65,535.
import { byLength } from '../helpers/length.ts';
import { eq } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { holdUsable } from '../../src/accounts/store.ts';
import { undirected } from '../../src/accounts/directors-store.ts';
import { audit, competitors, entries, units } from '../../src/db/schema.ts';
import { OPERATOR } from '../../src/audit/entry.ts';
import { writeAudit } from '../../src/audit/store.ts';
import { loadRecords, lockUnits, sentResultsOf } from '../../src/units/saving/units-store.ts';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
afterAll(api.close);
const admin = await api.as('ADMIN_GBR');

const MANY = 70_000;
const many = <Item>(make: (index: number) => Item) => Array.from({ length: MANY }, (_, index) => make(index));

const people = (last_name: string, event_id: string) =>
  many((index) => ({ competitor_id: `${index}`, last_name, events_entered: [{ event_id }] }));

test.runIf(byLength(false, true))(
  '70,000 competitors are uploaded, and then changed, every one and what they have entered, in one upload',
  { timeout: 120_000 },
  async () => {
    const { id, store } = await uploadsInto(admin);
    const stored = async () => ({
      names: await api.db
        .selectDistinct({ name: competitors.lastName })
        .from(competitors)
        .where(eq(competitors.competitionId, id)),
      entered: await api.db
        .selectDistinct({ event: entries.eventId })
        .from(entries)
        .where(eq(entries.competitionId, id)),
    });
    await store({ competitors: people('Okafor', '100') });
    expect(await stored()).toEqual({ names: [{ name: 'Okafor' }], entered: [{ event: '100' }] });
    await store({ competitors: people('Lind', '200') });
    expect(await stored()).toEqual({ names: [{ name: 'Lind' }], entered: [{ event: '200' }] });
    expect(await api.db.$count(competitors, eq(competitors.competitionId, id))).toBe(MANY);
    expect(await api.db.$count(entries, eq(entries.competitionId, id))).toBe(MANY);
  },
);

test.for([
  ['competitors', 100_000, (n: string) => ({ competitor_id: n })],
  ['teams', 20_000, (n: string) => ({ team_id: n, team_name: n })],
  ['relay_teams', 20_000, (n: string) => ({ event_id: 'R', relay_team_id: n })],
  ['events', 5000, (n: string) => ({ event_id: n })],
] as const)(
  'more %s than the %d that an upload takes are refused, and the remedy is named',
  async ([section, limit, make]) => {
    const { upload } = await uploadsInto(admin);
    const list = Array.from({ length: limit + 1 }, (_, index) => make(`${index}`));
    expect(await upload({ [section]: list })).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            loc: ['body', section],
            msg: expect.stringMatching(
              `^More than the ${limit.toLocaleString('en')} .* send them in several`,
            ),
          },
        ],
      },
    });
  },
);

describe('as many of what many uploads bring together', () => {
  test('events: their units are locked and read', async () => {
    const { id, store } = await uploadsInto(admin);
    await store({ events: [{ event_id: 'LJ', event_code: 'LJ', rounds: '1', results: [{ bib: '1' }] }] });
    const eventIds = ['LJ', ...many(String)];
    const single = many((heat) => ({ eventId: 'none', round: 1, heat }));
    const locked = await api.db.transaction((tx) => lockUnits(tx, id, { eventIds, single }));
    expect(locked.map(({ eventId }) => eventId)).toEqual(['LJ']);
    expect(await loadRecords(api.db, id, eventIds)).toMatchObject([{ eventId: 'LJ', round: 1, heat: 1 }]);
    expect([...(await sentResultsOf(api.db, id, eventIds)).keys()]).toEqual(['LJ']);
    expect(await api.db.$count(units, eq(units.competitionId, id))).toBe(1);
  });

  test('addresses: those that have an account are found', async () => {
    const emails = [admin.email, ...many((index) => `nobody-${index}@example.org`)];
    const usable = await api.db.transaction((tx) => holdUsable(tx, emails));
    expect(usable).toEqual([{ id: admin.id, email: admin.email }]);
  });

  test('competitions: those without a director are found, and each is audited', async () => {
    const { id } = await uploadsInto(admin);
    const nowhere = '00000000-0000-4000-8000-000000000000';
    expect(await undirected(api.db, [id, ...many(() => nowhere)])).toEqual([]);
    // Eight columns each.
    const exported = { action: 'person.export', target: id, detail: { competitors: 1 } } as const;
    const entries = Array.from({ length: MANY / 7 }, () => exported);
    await api.db.transaction((tx) => writeAudit(tx, OPERATOR, ...entries));
    const written = await api.db.select().from(audit).where(eq(audit.target, id));
    expect(written.length).toBe(entries.length);
    expect(written[0]).toMatchObject({ detail: { competitors: 1 }, count: 1, counted: null });
  });
});
