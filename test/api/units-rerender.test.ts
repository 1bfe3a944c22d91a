import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR', 'ADMIN_FRA');
afterAll(api.close);

const heat = (fields: Record<string, unknown> = {}) => ({ round: 1, heat: 1, ...fields });
const MEETING = {
  competitors: [
    { competitor_id: '1', first_name: 'Ana', last_name: 'Bo', team_id: 'T' },
    { competitor_id: '2', first_name: 'Cy', last_name: 'Dee' },
  ],
  teams: [{ team_id: 'T', team_name: 'Town' }],
  relay_teams: [{ relay_team_id: 'TA', event_id: 'R', name: 'Town A', team_id: 'T' }],
  events: [
    {
      event_id: 'E',
      event_code: '100',
      name: '100 m',
      units: [heat({ results: [{ bib: '1' }, { bib: '9' }] })],
    },
    { event_id: 'F', event_code: '200', name: '200 m', units: [heat({ results: [{ bib: '2' }] })] },
    {
      event_id: 'R',
      event_code: '4x100',
      name: 'Relay',
      units: [heat({ results: [{ bib: 'TA' }, { bib: 'T' }] })],
    },
  ],
};

/** A meeting with push on, its units as they are, and what is pushed from now on. */
async function world() {
  const uploads = await uploadsInto(admin, { push: true });
  await uploads.store(MEETING);
  const pushed = outboxReader(api.db);
  await pushed();
  const units = async () => ({
    E: await uploads.unit('E'),
    F: await uploads.unit('F'),
    R: await uploads.unit('R'),
  });
  return { ...uploads, pushed, units, before: await units() };
}
type Name = 'E' | 'F' | 'R';

describe('what a unit shows of other things renders it again', () => {
  test.for<
    [
      string,
      unknown,
      Name[],
      (units: Record<Name, { results: unknown[]; event_name: string; heat_name: string }>) => unknown,
      unknown,
    ]
  >([
    [
      "a competitor's new name",
      { competitors: [{ competitor_id: '1', first_name: 'Anna' }] },
      ['E'],
      ({ E }) => E.results[0],
      { bib: '1', athlete_name: 'Anna Bo', team_name: 'Town' },
    ],
    [
      'a competitor who was unknown',
      { competitors: [{ competitor_id: '9', last_name: 'Zed' }] },
      ['E'],
      ({ E }) => E.results[1],
      { bib: '9', athlete_name: 'Zed' },
    ],
    [
      'a competitor who changes teams',
      { competitors: [{ competitor_id: '2', team_id: 'T' }] },
      ['F'],
      ({ F }) => F.results[0],
      { bib: '2', athlete_name: 'Cy Dee', team_name: 'Town' },
    ],
    [
      "a team's new name",
      { teams: [{ team_id: 'T', team_name: 'City' }] },
      ['E', 'R'],
      ({ E, R }) => [E.results[0], R.results[1]],
      [
        { bib: '1', athlete_name: 'Ana Bo', team_name: 'City' },
        { bib: 'T', team_name: 'City' },
      ],
    ],
    [
      "a relay team's new name",
      { relay_teams: [{ relay_team_id: 'TA', event_id: 'R', name: 'City A' }] },
      ['R'],
      ({ R }) => R.results[0],
      { bib: 'TA', team_name: 'City A' },
    ],
    [
      'a relay team that comes in place of the team',
      { relay_teams: [{ relay_team_id: 'T', event_id: 'R', name: 'Town B' }] },
      ['R'],
      ({ R }) => R.results[1],
      { bib: 'T', team_name: 'Town B' },
    ],
    [
      'a relay team without a name in place of a competitor',
      { relay_teams: [{ relay_team_id: '2', event_id: 'F' }] },
      ['F'],
      ({ F }) => F.results[0],
      { bib: '2' },
    ],
    [
      "an event's new name",
      { events: [{ event_id: 'F', name: 'Two hundred' }] },
      ['F'],
      ({ F }) => F.event_name,
      'Two hundred',
    ],
    [
      "an event's new code",
      { events: [{ event_id: 'F', event_code: '200H' }] },
      ['F'],
      ({ F }) => F.results,
      [{ bib: '2', athlete_name: 'Cy Dee' }],
    ],
    [
      'rounds that add a final',
      { events: [{ event_id: 'E', rounds: '1,1', units: [] }] },
      ['E'],
      ({ E }) => E.heat_name,
      'Heat 1',
    ],
  ])('%s', async ([, upload, changed, shown, expected]) => {
    const { store, pushed, units, before } = await world();
    api.clock.advance(1000);
    await store(upload);
    const after = await units();
    expect(shown(after)).toEqual(expected);
    for (const name of (['E', 'F', 'R'] as const).filter((name) => !changed.includes(name))) {
      expect(after[name]).toEqual(before[name]);
    }
    const events = await pushed();
    expect(events.map(({ event, data }) => [event, data])).toEqual(
      changed.map((name) => ['unit', after[name]]),
    );
    for (const name of changed) {
      expect(after[name].revision).toBeGreaterThan(before[name].revision);
      expect(after[name].updated_at).toBe(api.clock.now.toISOString());
    }
  });

  test('a new sibling renames the only heat', async () => {
    const { store, pushed, unit } = await world();
    expect((await unit('E')).heat_name).toBe('Final');
    await store({ events: [{ event_id: 'E', units: [heat({ heat: 2 })] }] });
    expect((await unit('E')).heat_name).toBe('Final 1');
    expect((await pushed()).map(({ data }) => [data.event_id, data.heat_name])).toEqual([
      ['E', 'Final 1'],
      ['E', 'Final 2'],
    ]);
  });

  test.for<[string, Record<string, unknown>]>([
    ['slug', { slug: 'another-place' }],
    ['country', { country_id: 'FRA' }],
    ['year', { date: '2028-02-29', finish_date: null }],
  ])("the competition's new %s is in the channel of every unit", async ([, change]) => {
    const { store, pushed, before, path } = await world();
    await store(change);
    const { body } = await admin.get(path);
    const root = `x-${body.year}-${body.country_id}-${body.slug}-overview`;
    const events = await pushed();
    expect(events.map(({ channel }) => channel)).toEqual([`${root}-E-1-1`, `${root}-F-1-1`, `${root}-R-1-1`]);
    for (const { channel, data } of events) {
      expect(data.channel).toBe(channel);
      expect(data.revision).toBeGreaterThan(before[data.event_id as Name].revision);
    }
  });
});

describe('what a unit does not show leaves it alone', () => {
  test.for<[string, unknown]>([
    [
      "a competitor's other fields",
      { competitors: [{ competitor_id: '1', gender: 'F', date_of_birth: '2000-01-01' }] },
    ],
    ["a team's other fields", { teams: [{ team_id: 'T', flag_url: 'x' }] }],
    ["an event's other fields", { events: [{ event_id: 'E', genders: 'F', day: 2, units: [] }] }],
    [
      "a relay's runners whom nobody knows",
      { relay_teams: [{ relay_team_id: 'TA', event_id: 'R', runners: ['77'] }] },
    ],
    ['a competitor without results', { competitors: [{ competitor_id: '77', last_name: 'New' }] }],
    ['a new event', { events: [{ event_id: 'N', units: [] }] }],
    ["the competition's name", { full_name: 'Renamed Meeting' }],
    [
      'a birth date sent with a result',
      { events: [{ event_id: 'F', units: [heat({ results: [{ bib: '2', dob: '2000-01-01' }] })] }] },
    ],
  ])('%s', async ([, upload]) => {
    const { store, pushed, units, before } = await world();
    await store(upload);
    expect(await units()).toEqual(before);
    expect(await pushed()).toEqual([]);
  });
});

test('a revision never comes twice, and a later save has a higher one, across competitions', async () => {
  const one = await world();
  const two = await world();
  const revisions = [...Object.values(one.before), ...Object.values(two.before)].map(
    ({ revision }) => revision as number,
  );
  expect(new Set(revisions).size).toBe(6);
  expect(Math.min(...revisions.slice(3))).toBeGreaterThan(Math.max(...revisions.slice(0, 3)));
});
