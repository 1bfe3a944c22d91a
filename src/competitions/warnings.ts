// Warnings of the test endpoint about an acceptable payload: unknown fields, and references that lead nowhere. Pure.
import type { z } from 'zod';
import type { Issue } from '../errors.ts';
import { isRelay } from '../units/rules/disciplines.ts';
import { SentResult, SentTrial, SentUnit } from '../units/schemas.ts';
import {
  CompetitionCreate,
  type Sent,
  SentCompetitor,
  SentEvent,
  SentRelayTeam,
  SentTeam,
} from './schemas.ts';

type Path = (string | number)[];

const MAX_WARNINGS = 1000;

/** Warnings for a valid payload. A field or a broken reference is named once per kind of object, where it occurs first. */
export function uploadWarnings(sent: CompetitionCreate): Issue[] {
  return [...unknownFields(sent), ...brokenReferences(sent)].slice(0, MAX_WARNINGS);
}

type Shape = { known: z.core.$ZodShape; children?: Record<string, Shape> };

const UNIT: Shape = {
  known: SentUnit.shape,
  children: { results: { known: SentResult.shape }, trials: { known: SentTrial.shape } },
};

const COMPETITION: Shape = {
  known: CompetitionCreate.shape,
  children: {
    competitors: { known: SentCompetitor.shape },
    teams: { known: SentTeam.shape },
    relay_teams: { known: SentRelayTeam.shape },
    events: {
      known: SentEvent.shape,
      children: { units: UNIT, results: { known: SentResult.shape } },
    },
  },
};

function unknownFields(sent: CompetitionCreate): Issue[] {
  const seen = new Set<string>();
  const visit = (object: Sent, shape: Shape, loc: Path, kind: string): Issue[] => {
    const own = Object.keys(object)
      .filter((name) => !Object.hasOwn(shape.known, name) && !seen.has(`${kind}.${name}`))
      .map((name) => {
        seen.add(`${kind}.${name}`);
        return { loc: [...loc, name], msg: 'Unknown field: it is kept as sent', type: 'unknown_field' };
      });
    const nested = Object.entries(shape.children ?? {}).flatMap(([name, child]) =>
      ((object[name] ?? []) as Sent[]).flatMap((item, index) =>
        visit(item, child, [...loc, name, index], `${kind}.${name}`),
      ),
    );
    return [...own, ...nested];
  };
  return visit(sent, COMPETITION, ['body'], '');
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
