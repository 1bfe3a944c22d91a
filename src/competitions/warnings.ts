// Warnings of the test endpoint about an acceptable payload: about fields, about events, and references that lead nowhere. Pure.
import type { Issue } from '../errors.ts';
import { isRelay } from '../units/rules/disciplines.ts';
import { eventWarnings } from './event-warnings.ts';
import { fieldWarnings } from './field-warnings.ts';
import type { CompetitionCreate } from './schemas.ts';

type Path = (string | number)[];

const MAX_WARNINGS = 1000;

/** Warnings for a valid payload. A field or a broken reference is named once per kind of object, where it occurs first. */
export function uploadWarnings(sent: CompetitionCreate, publishDateOfBirth: boolean): Issue[] {
  const warnings: Issue[] = [];
  for (const some of [
    fieldWarnings(sent, publishDateOfBirth),
    eventWarnings(sent),
    brokenReferences(sent),
    contradictoryBirths(sent),
  ]) {
    for (const warning of some) {
      if (warnings.length === MAX_WARNINGS) return warnings;
      warnings.push(warning);
    }
  }
  return warnings;
}

/** A value that should be the key of something in the same upload. */
type Reference = { to: string; value: string | null | undefined; known: ReadonlySet<unknown>; loc: Path };

function brokenReferences(sent: CompetitionCreate): Issue[] {
  const known = knownKeys(sent);
  const references = [
    ...competitorReferences(sent, known),
    ...relayReferences(sent, known),
    ...eventReferences(sent, known),
  ];
  const broken = references.filter(({ value, known }) => value != null && value !== '' && !known.has(value));
  const seen = new Set<string>();
  return broken.flatMap(({ to, value, loc }) => {
    const name = `${to} ${value}`;
    if (seen.has(name)) return [];
    seen.add(name);
    return [{ loc: ['body', ...loc], msg: `No ${name} in this upload`, type: 'unresolved' }];
  });
}

function contradictoryBirths({ competitors }: CompetitionCreate): Issue[] {
  return (competitors ?? []).flatMap(({ date_of_birth: date, year_of_birth: year }, index) => {
    if (!date || year == null || Number(date.slice(0, 4)) === year) return [];
    const loc = ['body', 'competitors', index, 'year_of_birth'];
    return [{ loc, msg: `Not the year of date_of_birth ${date}, which counts`, type: 'contradiction' }];
  });
}

const relayKey = (eventId: string, relayTeamId: string) => JSON.stringify([eventId, relayTeamId]);

function knownKeys(sent: CompetitionCreate) {
  return {
    competitors: new Set((sent.competitors ?? []).map((competitor) => competitor.competitor_id)),
    teams: new Set((sent.teams ?? []).map((team) => team.team_id)),
    events: new Set((sent.events ?? []).map((event) => event.event_id)),
    relays: new Set((sent.relay_teams ?? []).map((team) => relayKey(team.event_id, team.relay_team_id))),
  };
}

type Known = ReturnType<typeof knownKeys>;

function competitorReferences({ competitors }: CompetitionCreate, { teams, events }: Known): Reference[] {
  return (competitors ?? []).flatMap((competitor, index) => {
    const at: Path = ['competitors', index];
    const entered = (competitor.events_entered ?? []).map((entry, entryIndex) => {
      const loc = [...at, 'events_entered', entryIndex, 'event_id'];
      return { to: 'event', value: entry.event_id, known: events, loc };
    });
    return [{ to: 'team', value: competitor.team_id, known: teams, loc: [...at, 'team_id'] }, ...entered];
  });
}

function relayReferences({ relay_teams: relays }: CompetitionCreate, known: Known): Reference[] {
  return (relays ?? []).flatMap((team, index) => {
    const at: Path = ['relay_teams', index];
    const runners = (team.runners ?? []).map((value, runner) => {
      return { to: 'competitor', value, known: known.competitors, loc: [...at, 'runners', runner] };
    });
    return [
      { to: 'event', value: team.event_id, known: known.events, loc: [...at, 'event_id'] },
      { to: 'team', value: team.team_id, known: known.teams, loc: [...at, 'team_id'] },
      ...runners,
    ];
  });
}

function eventReferences({ events }: CompetitionCreate, known: Known): Reference[] {
  return (events ?? []).flatMap((event, index) => {
    const at: Path = ['events', index];
    const listed = (results: typeof event.results, path: Path) =>
      (results ?? []).map(({ bib }, result) =>
        bibReference(event, bib, [...path, 'results', result, 'bib'], known),
      );
    const bibs = [
      ...listed(event.results, at),
      ...(event.units ?? []).flatMap((unit, index) => listed(unit.results, [...at, 'units', index])),
    ];
    return [{ to: 'event', value: event.parent, known: known.events, loc: [...at, 'parent'] }, ...bibs];
  });
}

type UploadedEvent = NonNullable<CompetitionCreate['events']>[number];

// In relays a bib names the relay team of that event, or a team.
function bibReference(event: UploadedEvent, bib: string, loc: Path, known: Known): Reference {
  if (!isRelay(event.event_code ?? ''))
    return { to: 'competitor', value: bib, known: known.competitors, loc };
  const resolves = known.relays.has(relayKey(event.event_id, bib));
  return { to: 'relay team', value: resolves ? null : bib, known: known.teams, loc };
}
