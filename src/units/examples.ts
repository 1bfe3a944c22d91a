// Examples of the API documentation for units and attempts. The people are made up.

/** A unit as it is read and pushed: what the example upload of the competition becomes. */
export const UNIT_EXAMPLE = {
  event_id: 'F1',
  event_code: 'LJ',
  event_name: 'Long Jump Women',
  round: 1,
  heat: 1,
  round_no: 1,
  heat_no: 1,
  status: 'finished',
  results_status: 'official',
  results: [
    {
      place: 1,
      bib: '101',
      performance: '6.21',
      wind: '+0.4',
      athlete_name: 'Maren Okafor',
      team_name: 'Harbour Town Harriers',
    },
  ],
  trials: [
    { bib: '101', round: 1, result: 'x' },
    { bib: '101', round: 2, result: '6.21', wind: '+0.4' },
  ],
  heat_name: 'Final',
  scheduled_start_time: null,
  wind_assistance: null,
  heights: [],
  channel: 'x-2026-GBR-harbour-town-open-overview-F1-1-1',
  revision: 4711,
  updated_at: '2026-07-18T14:05:09.123Z',
};

export const ATTEMPT_EXAMPLE = {
  attempt_id: '0e0f5b7e-7a39-4c63-9a3c-0a51b3a7f0c2',
  sequence: 2,
  recorded_at: '2026-07-18T14:05:33.120Z',
  bib: '101',
  round: 2,
  result: '6.21',
  wind: '+0.4',
};
