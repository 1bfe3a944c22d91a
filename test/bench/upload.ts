// The competition that rows upload, and how they do it: bodies are made ready before the clock runs.
import type { Bench } from './bench.ts';
import { type Competition, makeCompetition } from './competition.ts';
import type { Answer } from './request.ts';
import type { Send } from './server.ts';

let number = 0;

/** "Big" under a name that nobody has used. */
export function nextBig(bench: Bench): Competition {
  number += 1;
  return makeCompetition(bench.effort.big, `big-${number}`);
}

export const idOf = (created: Answer): string => (JSON.parse(created.body.toString()) as { id: string }).id;

/** Creates the whole competition with one request. */
export const create = (api: Send, competition: Competition): Promise<Answer> =>
  createFrom(api, bodyOf(competition));

/** The same in two steps, for who may not be held up meanwhile by making the body: that takes longer than what it measures. */
export const bodyOf = (competition: Competition): Buffer => Buffer.from(JSON.stringify(competition));
export const createFrom = (api: Send, body: Buffer): Promise<Answer> => api('POST', '/competitions/', body);

/** Creates an empty competition that pushes. @returns its path below the API */
export async function createPushing(api: Send, competition: Competition): Promise<string> {
  const {
    competitors: _competitors,
    teams: _teams,
    relay_teams: _relays,
    events: _events,
    ...record
  } = competition;
  const path = `/competitions/${idOf(await api('POST', '/competitions/', JSON.stringify(record)))}`;
  await api('PATCH', `${path}/settings`, JSON.stringify({ push_notifications: true }));
  return path;
}

/** Where the public finds it. */
export const pageOf = ({ date, country_id, slug }: Competition): string =>
  `/x/${date.slice(0, 4)}/${country_id}/${slug}`;

/** The same competition with one result in a hundred another than in any round before. */
export function withChangedResults(competition: Competition, round: number): Competition {
  let at = 0;
  const events = competition.events.map((event) => ({
    ...event,
    units: event.units.map((unit) => ({
      ...unit,
      results: unit.results.map((result) => {
        at += 1;
        return at % 100
          ? result
          : { ...result, performance: `${result.performance.slice(0, -1)}${round % 10}${at % 10}` };
      }),
    })),
  }));
  return { ...competition, events };
}
