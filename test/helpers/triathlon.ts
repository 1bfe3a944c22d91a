// A triathlon with its standings: a shot that is over, a long jump and 200 m to come.
import type { Client } from './app.ts';
import { uploadsInto } from './uploads.ts';

export type Fields = Record<string, unknown>;
export type Result = Fields & { bib: string; points?: number; place?: number; performance?: string };

export const PEOPLE = ['1', '2', '3'].map((bib) => ({
  competitor_id: bib,
  first_name: 'Ida',
  last_name: `B${bib}`,
  gender: 'F',
  team_id: 'HT',
}));
export const listed = [{ bib: '1' }, { bib: '2' }, { bib: '3' }];
export const SHOT = [
  { bib: '1', performance: '15.80' },
  { bib: '2', performance: '14.00' },
];

export const unitOf = (results: Fields[], fields: Fields = {}) => ({ round: 1, heat: 1, results, ...fields });

/** In the shot 915 and 794 points. */
export const triathlon = ({
  combined = {},
  shot = SHOT,
  genders = 'F',
}: { combined?: Fields; shot?: Fields[]; genders?: string } = {}) => ({
  competitors: PEOPLE,
  teams: [{ team_id: 'HT', team_name: 'Harbour Town' }],
  events: [
    { event_id: 'M01', event_code: 'TRI', name: 'Triathlon', rounds: '1', units: [], genders, ...combined },
    { event_id: 'F1', event_code: 'SP', parent: 'M01', genders, units: [unitOf(shot)] },
    { event_id: 'F2', event_code: 'LJ', parent: 'M01', genders, units: [unitOf(listed)] },
    { event_id: 'T1', event_code: '200', parent: 'M01', genders, rounds: '1' },
  ],
});

export async function combinedMeeting(
  admin: Client,
  sent: Fields = triathlon({ combined: { results: listed } }),
) {
  const world = await uploadsInto(admin, { push: true });
  await world.store(sent);
  const at = (eventId: string) => `${world.path}/events/${eventId}/units/1/1`;
  return {
    ...world,
    patch: (eventId: string, body: unknown, headers?: Record<string, string>) =>
      admin.patch(at(eventId), body, headers),
    attempt: (body: unknown, headers?: Record<string, string>) =>
      admin.post(`${at('F2')}/attempts`, body, headers),
    at,
    standings: async () =>
      ((await world.unit('M01')).results as Result[]).map(({ bib, place, points, performance }) => [
        bib,
        place ?? null,
        points ?? null,
        performance ?? null,
      ]),
  };
}

export const AFTER_SHOT = [
  ['1', 1, 915, '915'],
  ['2', 2, 794, '794'],
  ['3', null, null, null],
];
