// A meeting with something in every table: people, teams, entries, relays, results, attempts, former addresses, directors.
import type { ApiClient } from './http-client.ts';

export const MEETING_PAGE = '/x/2026/GBR/harbour-night/json/';
export const FORMER_PAGE = '/x/2026/GBR/harbour-evening/json/';
export const UNIT_PAGE = '/x/2026/GBR/harbour-night/event/F1/1/1/json/';

const MEETING = {
  full_name: 'Harbour Night of Athletics',
  slug: 'harbour-evening',
  country_id: 'GBR',
  date: '2026-07-18',
  city: 'Harbour Town',
  organiser_note: 'kept as sent',
};

const COMPETITORS = [
  {
    competitor_id: '101',
    first_name: 'Maren',
    last_name: 'Okafor',
    gender: 'F',
    date_of_birth: '2001-03-04',
  },
  { competitor_id: '102', first_name: 'Ída', last_name: 'Þórsdóttir', gender: 'F', team_id: 'HT' },
  { competitor_id: '103', first_name: 'Lotte', last_name: 'van Rijn', gender: 'F', team_id: 'HT' },
].map((person) => ({ ...person, events_entered: [{ event_id: 'F1', event_code: 'LJ' }] }));

const EVENTS = [
  {
    event_id: 'F1',
    event_code: 'LJ',
    name: 'Long jump women',
    rounds: '1',
    units: [{ round: 1, heat: 1, results: COMPETITORS.map(({ competitor_id: bib }) => ({ bib })) }],
  },
  {
    event_id: 'T1',
    event_code: '100',
    name: '100 m women',
    rounds: '2,1',
    units: [
      { round: 1, heat: 1, wind_assistance: 1.2, results: [{ bib: '101', place: 1, performance: '11.82' }] },
      { round: 1, heat: 2, results: [{ bib: '103', place: 1, performance: '12.01' }] },
      { round: 2, heat: 1 },
    ],
  },
  {
    event_id: 'R1',
    event_code: '4x100',
    name: '4 × 100 m women',
    units: [{ round: 1, heat: 1, results: [{ bib: 'A', place: 1, performance: '45.10' }] }],
  },
];

const UPLOAD = {
  competitors: COMPETITORS,
  teams: [{ team_id: 'HT', team_name: 'Harbour Town AC' }],
  relay_teams: [
    { relay_team_id: 'A', event_id: 'R1', name: 'Harbour A', team_id: 'HT', runners: ['102', '103'] },
  ],
  events: EVENTS,
};

/** @param director the e-mail address of a second account. @returns the path of the competition in the API */
export async function storeWholeMeeting(api: ApiClient, director: string): Promise<string> {
  const created = expectSuccess(await api('POST', '/competitions/', MEETING));
  const path = `/competitions/${created.body.id}`;
  const { directors } = (await api('GET', `${path}/settings`)).body;
  const settings = { push_notifications: true, directors: [...directors, director] };
  expectSuccess(await api('PATCH', `${path}/settings`, settings));
  expectSuccess(await api('POST', path, UPLOAD));
  for (const [bib, result] of [
    ['101', '6.12'],
    ['102', '5.98'],
    ['103', 'X'],
  ])
    expectSuccess(await api('POST', `${path}/events/F1/units/1/1/attempts`, { bib, round: 1, result }));
  expectSuccess(await api('POST', path, { slug: 'harbour-night' }));
  return path;
}

function expectSuccess<Reply extends { status: number | undefined; text: string }>(reply: Reply): Reply {
  if (reply.status !== 200 && reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}
