// Additions of the older naming, in the documents as they are read, and after what they are made of has changed.
import { afterAll, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const SECRET = '1999-07-31';

const MEETING = {
  competitors: [
    { competitor_id: '7', first_name: 'Maren', last_name: 'Okafor', team_id: 'HT', date_of_birth: SECRET },
    { competitor_id: '8', first_name: 'Lotte', last_name: 'Vik', team_name: 'Guests' },
  ],
  teams: [{ team_id: 'HT', team_name: 'Harbour Town' }],
  relay_teams: [{ relay_team_id: 'A', event_id: 'R1', name: 'Harbour A', runners: ['8', '7'] }],
  events: [
    {
      event_id: 'F1',
      event_code: 'LJ',
      name: 'Long jump',
      units: [
        {
          round: 1,
          heat: 1,
          day: 1,
          scheduled_start_time: '18:30',
          results: [{ bib: '7', performance: '6.12' }],
          trials: [{ bib: '7', round: 1, result: '6.12', wind: '+0.4' }],
        },
      ],
    },
    { event_id: 'R1', event_code: '4x100', name: 'Relay', rounds: '1' },
  ],
};

async function world(fields: Record<string, unknown> = {}) {
  const uploads = await uploadsInto(admin, fields);
  await uploads.store(MEETING);
  const camel = async (rest = '') => (await api.get(`${uploads.page}${rest}/json/?case=camel`)).body;
  return { ...uploads, camel };
}

test('a competitor is the same alone and in the whole competition', async () => {
  const { camel } = await world();
  const { competitors } = await camel();
  expect(competitors).toMatchObject([
    { teamName: 'Harbour Town', sortBib: '00007', category: '', ageGroup: '' },
    { teamName: 'Guests', sortBib: '00008' },
  ]);
  for (const person of competitors) {
    const { results, ...alone } = await camel(`/competitor/${person.competitorId}`);
    expect(alone).toEqual(person);
    expect(results).toMatchObject(person.competitorId === '7' ? [{ bib: '7', eventId: 'F1' }] : []);
  }
});

test('a unit is the same alone, in its event and in the whole competition', async () => {
  const { camel } = await world();
  const unit = await camel('/event/F1/1/1');
  expect(unit).toMatchObject({ id: 'F1-1-1', trials: [{ wind: 0.4 }] });
  const event = await camel('/event/F1');
  expect(event).toMatchObject({ category: '', ageGroup: '', units: [unit] });
  expect(await camel('/event/F1/1')).toEqual(event);
  expect((await camel()).events[0]).toEqual(event);
});

test('names of teams and runners follow what they are made of', async () => {
  const { store, camel } = await world();
  expect((await camel()).relayTeams).toMatchObject([
    { bib: 'A', runnerNames: ['Lotte Vik', 'Maren Okafor'] },
  ]);
  expect((await camel('/competitor/7')).teamName).toBe('Harbour Town');
  await store({
    teams: [{ team_id: 'HT', team_name: 'Harbour City' }],
    competitors: [{ competitor_id: '8', last_name: 'Vik-Dahl' }],
  });
  expect((await camel()).competitors[0].teamName).toBe('Harbour City');
  expect((await camel('/competitor/7')).teamName).toBe('Harbour City');
  expect((await camel()).relayTeams[0].runnerNames).toEqual(['Lotte Vik-Dahl', 'Maren Okafor']);
});

const timed = (event_id: string, time: string | null) => ({
  events: [{ event_id, units: [{ round: 1, heat: 1, scheduled_start_time: time }] }],
});

test('the timetable follows the times of the units', async () => {
  const { store, camel } = await world();
  const jump = { eventId: 'F1', eventName: 'Long jump', round: 1, heat: 1, heatName: 'Final', day: 1 };
  expect((await camel()).timetable).toEqual([{ ...jump, time: '18:30' }]);
  await store(timed('R1', '9:15'));
  expect((await camel()).timetable).toMatchObject([{ eventId: 'R1', time: '9:15' }, { eventId: 'F1' }]);
  await store(timed('R1', null));
  await store(timed('F1', null));
  expect(await camel()).not.toHaveProperty('timetable');
});

test('a timetable that was sent makes no second one', async () => {
  const { page } = await world({ timetable: 'on the wall', relay__teams: 'many' });
  const { text, body } = await api.get(`${page}/json/?case=camel`);
  expect(text.match(/"timetable":/g)).toHaveLength(1);
  expect(text.match(/"relayTeams":/g)).toHaveLength(1);
  expect(body.timetable).toHaveLength(1);
});

test('a name that becomes a date of birth by respelling does not leave, a full name stays', async () => {
  const hidden = { date_of__birth: SECRET, birth__date: SECRET };
  const { store, page, camel } = await world({ ...hidden, full__name: 'Another' });
  await store({
    competitors: [{ competitor_id: '7', ...hidden, events_entered: [{ event_id: 'F1', ...hidden }] }],
    teams: [{ team_id: 'HT', ...hidden }],
    relay_teams: [{ relay_team_id: 'A', event_id: 'R1', ...hidden }],
    events: [
      { event_id: 'F1', ...hidden, units: [{ round: 1, heat: 1, results: [{ bib: '7', ...hidden }] }] },
    ],
  });
  const paths = ['', '/event/F1', '/event/F1/1', '/event/F1/1/1', '/competitor/7'].map((rest) => page + rest);
  for (const path of [...paths, '/x/2026', '/x/2026/GBR'])
    expect((await api.get(`${path}/json/?case=camel`)).text).not.toContain(SECRET);
  expect((await camel()).fullName).not.toBe('Another');
});
