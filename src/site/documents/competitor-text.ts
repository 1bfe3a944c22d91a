// The text of a competitor, alone and with results. Pure.
import { publicCompetitor } from '../../privacy/public-fields.ts';

import { isRelay } from '../../units/rules/disciplines.ts';
import type { Names } from './camel-fields.ts';
import { SPELLINGS, type Style } from './style.ts';

type Person = Record<string, unknown>;
type RelayTeam = { eventId: string; relayTeamId: string };
type Surroundings = { firstDay: string; names: Names };
type Runner = Surroundings & { record: Person; relayTeams: RelayTeam[] };

/** A competitor with the results of all units, those of the relay teams they run in among them. */
export function competitorWithResults(
  { record, firstDay, relayTeams, names }: Runner,
  units: string[],
  style: Style,
): string {
  const person = competitorText(record, { firstDay, names }, style);
  const results = units.flatMap((text) => resultsIn(text, String(record['competitor_id']), relayTeams));
  const resultsText = SPELLINGS[style.naming].results(JSON.stringify(results));
  return `${person.slice(0, -1)},"results":${resultsText}}`;
}

type ShownUnit = Record<string, unknown> & {
  event_id: string;
  event_code: string;
  results: { bib: string }[];
};

function resultsIn(text: string, competitorId: string, relayTeams: RelayTeam[]): object[] {
  const unit = JSON.parse(text) as ShownUnit;
  const { event_id, event_code, event_name, round_no, heat_no, heat_name, results_status } = unit;
  const ofEvent = relayTeams.filter(({ eventId }) => eventId === event_id);
  const bibs = isRelay(event_code) ? [] : [competitorId];
  const wanted = new Set([...bibs, ...ofEvent.map(({ relayTeamId }) => relayTeamId)]);
  return unit.results
    .filter(({ bib }) => wanted.has(bib))
    .map((result) => ({
      ...result,
      event_id,
      event_code,
      event_name,
      round_no,
      heat_no,
      heat_name,
      results_status,
    }));
}

/** A competitor as the public sees it. */
export function competitorText(record: Person, { firstDay, names }: Surroundings, style: Style): string {
  const { naming, publishDateOfBirth } = style;
  const shown = JSON.stringify(publicCompetitor(record, firstDay, publishDateOfBirth));
  return SPELLINGS[naming].competitor(shown, names);
}
