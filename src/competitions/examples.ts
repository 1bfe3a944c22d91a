// Examples of the API documentation; a test uploads them, so they stay true. The people are made up.
import { UNIT_EXAMPLE } from '../units/examples.ts';

export const UPLOAD_EXAMPLE = {
  full_name: 'Harbour Town Open',
  country_id: 'GBR',
  date: '2026-07-18',
  city: 'Harbour Town',
  competitors: [
    {
      competitor_id: '101',
      first_name: 'Maren',
      last_name: 'Okafor',
      date_of_birth: '2003-04-09',
      gender: 'F',
      team_id: 'HTH',
      events_entered: [{ event_id: 'F1', event_code: 'LJ' }],
    },
  ],
  teams: [{ team_id: 'HTH', team_name: 'Harbour Town Harriers' }],
  events: [
    {
      event_id: 'F1',
      event_code: 'LJ',
      name: 'Long Jump Women',
      genders: 'F',
      rounds: '1',
      units: [
        {
          round: 1,
          heat: 1,
          status: 'finished',
          results_status: 'official',
          results: [{ place: 1, bib: '101', performance: '6.21' }],
          trials: [
            { bib: '101', round: 1, result: 'x' },
            { bib: '101', round: 2, result: '6.21', wind: '+0.4' },
          ],
        },
      ],
    },
  ],
};

export const RECORD_EXAMPLE = {
  id: '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11',
  full_name: 'Harbour Town Open',
  short_name: '',
  slug: 'harbour-town-open',
  name_local: '',
  country_id: 'GBR',
  address: '',
  city: 'Harbour Town',
  venue_id: null,
  latitude: null,
  longitude: null,
  altitude: null,
  date: '2026-07-18',
  finish_date: '2026-07-18',
  year: 2026,
  wa_rankings_category_id: null,
  age_groups: null,
  national_id: '',
  basic_description: '',
  contact_details: '',
  organiser_id: null,
  website: null,
  entry_link: null,
  results_link: null,
  override_token: null,
  events: null,
};

const [event] = UPLOAD_EXAMPLE.events;
const [{ date_of_birth: _withheld, ...competitor }] = UPLOAD_EXAMPLE.competitors as [
  (typeof UPLOAD_EXAMPLE.competitors)[number],
];

export const EVENT_EXAMPLE = { ...event, lynx_event_no: 1, units: [UNIT_EXAMPLE] };

const [result] = UNIT_EXAMPLE.results;
const { event_id, event_code, event_name, round_no, heat_no, heat_name, results_status } = UNIT_EXAMPLE;

/** A competitor with their results, as the public reads it. */
export const COMPETITOR_EXAMPLE = {
  ...competitor,
  age: 23,
  results: [{ ...result, event_id, event_code, event_name, round_no, heat_no, heat_name, results_status }],
};

/** And the whole competition. */
export const DOCUMENT_EXAMPLE = {
  ...RECORD_EXAMPLE,
  channels: { overview: 'x-2026-GBR-harbour-town-open-overview' },
  revision: 4711,
  competitors: [{ ...competitor, age: 23 }],
  teams: UPLOAD_EXAMPLE.teams,
  relay_teams: [],
  events: [EVENT_EXAMPLE],
};
