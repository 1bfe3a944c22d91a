// Examples of the World Athletics result import for the API's documentation. Pure.
import type { z } from 'zod';
import type { WaReport, WaResults } from './wa-model.ts';

export const WA_RESULTS_EXAMPLE: z.output<typeof WaResults> = {
  waId: 7183501,
  venues: [{ id: 1, name: 'Quay Road, Harbour Town', country: 'GBR' }],
  units: [
    {
      waEventId: 10229509,
      title: '100 m Women',
      rounds: [
        {
          type: 'Final',
          races: [
            {
              number: 1,
              wind: '+1.2',
              date: '2026-07-18',
              startTime: '15:45:00',
              results: [
                { athleteId: 1, result: '11.82', placeInRace: 1, placeInRound: 1 },
                { athleteId: 2, result: 'DNS' },
              ],
            },
          ],
        },
      ],
    },
  ],
  relayTeams: [],
  athletes: [
    {
      id: 1,
      waId: 14501234,
      firstName: 'Maren',
      lastName: 'Okafor',
      birthdate: '2003-04-09',
      country: 'GBR',
      sex: 'female',
    },
    { id: 2, firstName: 'Ana', lastName: 'Lind', country: 'NOR', sex: 'female' },
  ],
};

export const WA_REPORT_EXAMPLE: WaReport = {
  complete: false,
  athletes: 2,
  relay_teams: 0,
  units: 1,
  races: 1,
  results: 2,
  left_out: 0,
  missing_by_field: { birthdate: 1 },
  missing: [{ path: ['athletes', 1], field: 'birthdate', reason: 'Competitor 102: not known' }],
};
