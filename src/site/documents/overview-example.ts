// The example of an overview in the API's description. Pure.

const unit = { event_id: 'F1', round_no: 1, heat_no: 1, heat_name: 'Final' };

export const OVERVIEW_EXAMPLE = {
  full_name: 'Harbour Town Open',
  date: '2026-07-18',
  finish_date: '2026-07-18',
  push_notifications: true,
  channels: { overview: 'x-2026-GBR-harbour-town-open-overview' },
  revision: 4712,
  events: [
    {
      event_id: 'F1',
      event_code: 'LJ',
      event_name: 'Long Jump Women',
      is_parent: false,
      max_field_attempts: '6',
      cut_after_round: null,
      units: [
        {
          round_no: 1,
          heat_no: 1,
          heat_name: 'Final',
          day: null,
          scheduled_start_time: '14:05',
          status: 'started',
          results_status: 'in_progress',
          revision: 4712,
          updated_at: '2026-07-18T13:10:02.000Z',
          channel: 'x-2026-GBR-harbour-town-open-overview-F1-1-1',
        },
      ],
    },
  ],
  latest_attempts: [
    {
      ...unit,
      event_code: 'LJ',
      event_name: 'Long Jump Women',
      bib: '101',
      round: 1,
      result: '6.21',
      athlete_name: 'Maren Okafor',
      revision: 4712,
    },
  ],
  latest_results: [],
};
