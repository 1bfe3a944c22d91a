import { afterAll, describe, expect, test } from 'vitest';
import { UnitEvent } from '../../src/push/events.ts';
import { startTestApp } from '../helpers/app.ts';
import { commandAnswer } from '../helpers/cli.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const runner = (competitor_id: string, first_name: string, last_name: string) => ({
  competitor_id,
  first_name,
  last_name,
});
const team = (relay_team_id: string, runners: string[], event_id = 'R') => ({
  relay_team_id,
  event_id,
  name: `Town ${relay_team_id}`,
  runners,
});
const heat = (results: object[]) => [{ round: 1, heat: 1, results }];
const RELAY = { event_id: 'R', event_code: '4x100', units: heat([{ bib: 'A' }, { bib: 'B' }]) };
const MEETING = {
  competitors: [runner('1', 'Ana', 'Bo'), runner('2', 'Cy', 'Dee'), runner('3', 'Edda', 'Foss')],
  relay_teams: [team('A', ['2', '1', '9']), team('B', ['7', '8'])],
  events: [RELAY, { event_id: 'S', event_code: '100', units: heat([{ bib: '3' }]) }],
};

async function world() {
  const uploads = await uploadsInto(admin, { push: true });
  await uploads.store(MEETING);
  const pushed = outboxReader(api.db);
  await pushed();
  return { ...uploads, pushed, relay: `${uploads.path}/events/R/units/1/1` };
}

const namesIn = ({ results }: { results: { runner_names?: string[] }[] }) =>
  results.map(({ runner_names }) => runner_names);

describe('the runners of a relay', () => {
  test('are shown by name and in order; one whom nobody knows by the bib, a team of such not at all', async () => {
    const { unit } = await world();
    const relay = await unit('R');
    expect(relay.results).toEqual([
      { bib: 'A', team_name: 'Town A', runner_names: ['Cy Dee', 'Ana Bo', '9'] },
      { bib: 'B', team_name: 'Town B' },
    ]);
    expect(UnitEvent.safeParse(relay).error).toBeUndefined();
    expect((await unit('S')).results).toEqual([{ bib: '3', athlete_name: 'Edda Foss' }]);
  });

  test('are those of that event', async () => {
    const { unit, store } = await world();
    await store({
      relay_teams: [team('A', ['3'], 'Q')],
      events: [{ ...RELAY, event_id: 'Q', units: heat([{ bib: 'A' }, { bib: 'B' }]) }],
    });
    expect(namesIn(await unit('Q'))).toEqual([['Edda Foss'], undefined]);
    expect(namesIn(await unit('R'))).toEqual([['Cy Dee', 'Ana Bo', '9'], undefined]);
  });

  test('are named by a save of the single unit as by an upload, and in what is pushed', async () => {
    const { unit, relay, store, pushed } = await world();
    await store({ relay_teams: [team('C', ['3', '1'])] });
    const results = [{ bib: 'C', place: 1 }, { bib: 'A' }];
    const { status, body } = await admin.patch(relay, { results });
    expect(status).toBe(200);
    expect(namesIn(body)).toEqual([
      ['Edda Foss', 'Ana Bo'],
      ['Cy Dee', 'Ana Bo', '9'],
    ]);
    expect((await pushed()).find(({ event }) => event === 'unit')!.data).toEqual(body);
    expect(await unit('R')).toEqual(body);
    await store({ events: [{ event_id: 'R', units: heat(results) }] });
    expect(await unit('R')).toEqual(body);
    // From what the last save left.
    const next = await admin.patch(relay, { wind_assistance: null, results: [{ bib: 'A' }] });
    expect(namesIn(next.body)).toEqual([['Cy Dee', 'Ana Bo', '9']]);
  });

  test('are runnerNames to readers of the older naming', async () => {
    const { page } = await world();
    const { body } = await api.get(`${page}/event/R/1/1/json/?case=camel`);
    expect(body.results[0]).toMatchObject({ bib: 'A', runnerNames: ['Cy Dee', 'Ana Bo', '9'] });
  });
});

type World = Awaited<ReturnType<typeof world>>;

describe('what changes the runners renders their relay again, and pushes it', () => {
  test.for<[string, (world: World) => Promise<unknown>, (string[] | undefined)[]]>([
    [
      'another name of a runner',
      ({ store }) => store({ competitors: [{ competitor_id: '1', last_name: 'Bo-Lind' }] }),
      [['Cy Dee', 'Ana Bo-Lind', '9'], undefined],
    ],
    [
      'a runner who was unknown',
      ({ store }) => store({ competitors: [runner('8', 'Gro', 'Hall')] }),
      [
        ['Cy Dee', 'Ana Bo', '9'],
        ['7', 'Gro Hall'],
      ],
    ],
    [
      'another order of running',
      ({ store }) => store({ relay_teams: [{ relay_team_id: 'A', event_id: 'R', runners: ['1', '2'] }] }),
      [['Ana Bo', 'Cy Dee'], undefined],
    ],
    [
      'a team that says no more who runs',
      ({ store }) => store({ relay_teams: [{ relay_team_id: 'A', event_id: 'R', runners: null }] }),
      [undefined, undefined],
    ],
    [
      'a runner who is deleted',
      ({ path }) => admin.delete(`${path}/competitors/2`),
      [['2', 'Ana Bo', '9'], undefined],
    ],
    [
      'a relay team that is deleted',
      ({ path }) => admin.delete(`${path}/events/R/relay_teams/A`),
      [undefined, undefined],
    ],
    [
      'a person who is erased',
      ({ id }) => commandAnswer(api.deps, 'person', 'erase', '--name', 'Cy Dee', '--competition', id),
      [['2', 'Ana Bo', '9'], undefined],
    ],
  ])('%s', async ([, change, expected]) => {
    const made = await world();
    const before = { R: await made.unit('R'), S: await made.unit('S') };
    await change(made);
    const after = await made.unit('R');
    expect(namesIn(after)).toEqual(expected);
    expect(after.revision).toBeGreaterThan(before.R.revision);
    expect((await made.pushed()).map(({ event, data }) => [event, data])).toEqual([['unit', after]]);
    expect(await made.unit('S')).toEqual(before.S);
  });

  test('also after a save of the unit alone: it is made from the new name', async () => {
    const { relay, store, unit } = await world();
    await admin.patch(relay, { results: [{ bib: 'A', place: 1 }] });
    await store({ competitors: [{ competitor_id: '1', first_name: 'Anna' }] });
    await admin.patch(relay, { results: [{ bib: 'A', place: 2 }] });
    expect(namesIn(await unit('R'))).toEqual([['Cy Dee', 'Anna Bo', '9']]);
  });
});

describe('runner_names that were sent', () => {
  test('are kept where nobody knows the runners, and give way where somebody does', async () => {
    const { store, unit } = await world();
    const runner_names = ['Sent One', 'Sent Two'];
    const results = [
      { bib: 'A', runner_names },
      { bib: 'B', runner_names },
    ];
    await store({ events: [{ event_id: 'R', units: heat(results) }] });
    expect(namesIn(await unit('R'))).toEqual([['Cy Dee', 'Ana Bo', '9'], runner_names]);
  });

  test('and are what was read say nothing: the names go on following the runners', async () => {
    const { store, unit, relay, path } = await world();
    const { body: read } = await admin.get(relay);
    await admin.patch(relay, { results: read.results });
    expect((await unit('R')).revision).toBe(read.revision);
    await admin.delete(`${path}/events/R/relay_teams/A`);
    expect(namesIn(await unit('R'))).toEqual([undefined, undefined]);
    await store({ relay_teams: [team('A', ['3'])] });
    expect(namesIn(await unit('R'))).toEqual([['Edda Foss'], undefined]);
  });

  test.for<[unknown, (string | number)[]]>([
    ['Ana Bo, Cy Dee', ['runner_names']],
    [
      ['Ana Bo', { name: 'Cy Dee' }],
      ['runner_names', 1],
    ],
    [Array.from({ length: 101 }, () => 'Ana Bo'), ['runner_names']],
  ])('are a list of texts, or refused: %j', async ([runner_names, at]) => {
    const { relay, unit } = await world();
    const before = await unit('R');
    const { status, body } = await admin.patch(relay, { results: [{ bib: 'A', runner_names }] });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['body', 'results', 0, ...at] }]);
    expect(await unit('R')).toEqual(before);
  });

  test('are erased with the person whom they name', async () => {
    const { relay, unit, id } = await world();
    const runner_names = ['Cy Dee', 'Somebody Else'];
    await admin.patch(relay, { results: [{ bib: 'B', runner_names }] });
    await commandAnswer(api.deps, 'person', 'erase', '--name', 'Cy Dee', '--competition', id);
    expect(namesIn(await unit('R'))).toEqual([['–', 'Somebody Else']]);
  });
});
