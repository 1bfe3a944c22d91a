// A competition with one field event under way, and the calls a judge's tablet makes.
import type { Client } from './app.ts';
import { uploadsInto } from './uploads.ts';

type Fields = Record<string, unknown>;

export async function fieldUnit(
  client: Client,
  {
    code = 'LJ',
    bibs = ['1', '2', '3'],
    event = {},
    unit = {},
  }: { code?: string; bibs?: string[]; event?: Fields; unit?: Fields } = {},
) {
  const world = await uploadsInto(client, { push: true });
  await world.store({
    competitors: bibs.map((bib) => ({
      competitor_id: bib,
      first_name: 'Anna',
      last_name: `B${bib}`,
      events_entered: [{ event_id: 'F1', event_code: code }],
    })),
    events: [
      {
        event_id: 'F1',
        event_code: code,
        name: 'Field',
        units: [{ round: 1, heat: 1, results: bibs.slice(0, -1).map((bib) => ({ bib })), ...unit }],
        ...event,
      },
    ],
  });
  const path = `${world.path}/events/F1/units/1/1`;
  const results = (): Promise<{ bib: string; place?: number; performance?: string }[]> =>
    world.unit('F1').then(({ results }) => results);
  return {
    ...world,
    path,
    attempt: (body: unknown, headers?: Record<string, string>) =>
      client.post(`${path}/attempts`, body, headers),
    takeBack: (id: string) => client.delete(`${path}/attempts/${id}`),
    patch: (body: unknown, headers?: Record<string, string>) => client.patch(path, body, headers),
    current: () => world.unit('F1'),
    standings: async () =>
      (await results()).map(({ bib, place, performance }) => [bib, place ?? null, performance ?? null]),
  };
}
