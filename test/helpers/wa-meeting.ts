// A made-up meeting with every kind of event that the World Athletics result import knows.
const person = (competitor_id: string, first_name: string, last_name: string, fields: object = {}) => ({
  competitor_id,
  first_name,
  last_name,
  gender: 'F',
  date_of_birth: `2001-03-${competitor_id.padStart(2, '0').slice(-2)}`,
  nationality: 'NOR',
  ...fields,
});

const official = <Fields extends object>(round: number, heat: number, fields: Fields) => ({
  round,
  heat,
  results_status: 'official',
  ...fields,
});

/** Of competitors `1` to `6`; 5 lacks a date of birth and a country, 6 takes part in nothing. */
export const WA_MEETING = {
  date: '2026-07-18',
  finish_date: '2026-07-19',
  city: 'Harbour Town',
  wa_id: 7183501,
  competitors: [
    person('1', 'Maren', 'Okafor', { wa_id: '14501234', nationality: 'GER' }),
    person('2', 'Ana', 'Lind'),
    person('3', 'Ída', 'Þórsdóttir', { nationality: 'ISL', gender: 'X' }),
    person('4', 'Bea', 'Hopper', { nationality: 'SCO' }),
    person('5', 'Cleo', 'Springer', { date_of_birth: null, nationality: '' }),
    person('6', 'Nobody', 'Here'),
  ],
  teams: [{ team_id: 'HT', team_name: 'Harbour Town AC', country: 'GBR' }],
  relay_teams: [
    { relay_team_id: 'A', event_id: 'R', name: 'Harbour A', team_id: 'HT', runners: ['1', '2', '3', '77'] },
    { relay_team_id: 'B', event_id: 'R', name: 'Mixed B', runners: ['2', '3'] },
  ],
  events: [
    {
      event_id: 'S',
      event_code: '100',
      name: '100 m Women',
      wa_event_id: '10229509',
      r2_day: 2,
      units: [
        official(1, 1, {
          wind_assistance: '-1.2',
          scheduled_start_time: '9:05',
          results: [
            { bib: '1', place: 1, performance: '11.82', qualified: 'Q' },
            { bib: '2', place: 2, performance: '11.815', qualification: 'q' },
            { bib: '3', performance: 'DNS' },
          ],
        }),
        official(1, 2, {
          wind_assistance: '0.4',
          results: [
            { bib: '4', place: 1, performance: '12.1' },
            { bib: '5', performance: 'DNF' },
            { bib: '99', place: 2, performance: '12.30' },
          ],
        }),
        official(2, 1, {
          scheduled_start_time: '15:45',
          results: [
            { bib: '1', place: 1, performance: '11.70' },
            { bib: '2', place_text: 'DQ', performance: 'DQ R 16.8' },
          ],
        }),
      ],
    },
    {
      event_id: 'M',
      event_code: '10000',
      name: '10,000 m',
      units: [official(1, 1, { results: [{ bib: '1', place: 1, performance: '31:02,5' }] })],
    },
    {
      event_id: 'L',
      event_code: 'LJ',
      name: 'Long Jump',
      wa_event_id: 2,
      units: [
        official(1, 1, {
          status: 'finished',
          results: [
            { bib: '1', place: 1, performance: '6.21' },
            { bib: '2', place: 2, performance: 'NM' },
          ],
          trials: [
            { bib: '1', round: 1, result: '6.10' },
            { bib: '2', round: 1, result: 'x' },
            { bib: '1', round: 3, result: '6,21', wind: 0.4 },
            { bib: '2', round: 2, result: 'r' },
          ],
        }),
      ],
    },
    {
      event_id: 'D',
      event_code: 'DT',
      name: 'Discus',
      wa_event_id: 3,
      units: [
        official(1, 1, {
          results: [{ bib: '3', place: 1, performance: '51.3' }],
          trials: [
            { bib: '3', round: 1, result: 'X' },
            { bib: '3', round: 2, result: '51.3' },
          ],
        }),
      ],
    },
    {
      event_id: 'H',
      event_code: 'HJ',
      name: 'High Jump',
      wa_event_id: 4,
      units: [
        official(1, 1, {
          results: [{ bib: '4', place: 1, performance: '1.75' }],
          trials: ['o', 'x', 'x', 'o', 'x', '-'].map((result, index) => ({
            bib: '4',
            height: ['1.70', '1.75', '1.75', '1.75', '1.80', '1.80'][index],
            result,
          })),
        }),
      ],
    },
    {
      event_id: 'R',
      event_code: '4x100',
      name: '4 x 100 m',
      wa_event_id: 5,
      units: [
        official(1, 1, {
          results: [
            { bib: 'A', place: 1, performance: '45.10' },
            { bib: 'B', performance: 'DQ' },
            { bib: '2', place: 3, performance: '50.00' },
          ],
        }),
      ],
    },
    { event_id: 'C', event_code: 'BI', name: 'Biathlon', genders: 'F', wa_event_id: 6, units: [] },
    {
      event_id: 'C1',
      event_code: '200',
      name: 'Biathlon 200 m',
      parent: 'C',
      wa_event_id: 7,
      genders: 'F',
      units: [official(1, 1, { results: [{ bib: '1', place: 1, performance: '24.10', points: 1000 }] })],
    },
    {
      event_id: 'C2',
      event_code: 'SP',
      name: 'Biathlon shot',
      parent: 'C',
      wa_event_id: 8,
      genders: 'F',
      units: [official(1, 1, { results: [{ bib: '1', place: 1, performance: '14.00', points: 800 }] })],
    },
    { event_id: 'N', event_code: '400', name: 'Not yet', rounds: '1', wa_event_id: 9 },
  ],
};
