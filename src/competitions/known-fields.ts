// Fields of an upload by the kind of object that has them: those of the interface, and those that the service itself emits or uses. Pure.
import type { z } from 'zod';
import { HorizontalAttempt, UnitEvent, VerticalAttempt } from '../push/events.ts';
import { SentAttempt, SentResult, SentTrial, SentUnit, StoredAttempt } from '../units/schemas.ts';
import { COMPUTED_FIELDS } from './merge.ts';
import { PUBLIC_COMPETITION_FIELDS, PUBLIC_COMPETITOR_FIELDS } from '../privacy/public-fields.ts';
import {
  CompetitionCreate,
  CompetitionRecord,
  SentCompetitor,
  SentEntry,
  SentEvent,
  SentRelayTeam,
  SentTeam,
} from './schemas.ts';

export type Kind = {
  name: 'competition' | 'competitor' | 'entry' | 'part';
  /** Of the interface: read, and judged. */
  shape: z.core.$ZodShape;
  /** Beyond these: emitted in documents and answers, or read from what was kept. No typos. */
  used: ReadonlySet<string>;
  /** The lists in it, and of what. */
  lists: Record<string, Kind>;
};

// A text holds names with blanks between them.
const names = (...given: (string | Iterable<string>)[]): ReadonlySet<string> =>
  new Set(given.flatMap((some) => (typeof some === 'string' ? some.split(' ') : [...some])));

const namesOf = (...shapes: object[]): string[] => shapes.flatMap((shape) => Object.keys(shape));

const RESULT: Kind = {
  name: 'part',
  shape: SentResult.in.shape,
  // With a competitor, results say which unit they are of.
  used: names(
    'splits lane order qualified time_exact status_text reaction_time',
    'event_id event_code event_name round_no heat_no heat_name results_status',
  ),
  lists: {},
};

const TRIAL: Kind = {
  name: 'part',
  shape: SentTrial.shape,
  used: names(
    namesOf(SentAttempt.shape, StoredAttempt.shape, HorizontalAttempt.shape, VerticalAttempt.shape),
    'team_name',
  ),
  lists: {},
};

const UNIT: Kind = {
  name: 'part',
  shape: SentUnit.shape,
  used: names(namesOf(UnitEvent.shape), 'id day rounds override_places splits warnings'),
  lists: { results: RESULT, trials: TRIAL },
};

const EVENT: Kind = {
  name: 'part',
  shape: SentEvent.shape,
  used: names('max_field_attempts age_group'),
  lists: { units: UNIT, results: RESULT },
};

const ENTRY: Kind = { name: 'entry', shape: SentEntry.shape, used: names('qp pb sb'), lists: {} };

const COMPETITOR: Kind = {
  name: 'competitor',
  shape: SentCompetitor.shape,
  used: names(PUBLIC_COMPETITOR_FIELDS, 'age results'),
  lists: { events_entered: ENTRY },
};

const TEAM: Kind = { name: 'part', shape: SentTeam.shape, used: names([]), lists: {} };

const RELAY_TEAM: Kind = {
  name: 'part',
  shape: SentRelayTeam.shape,
  used: names('bib runner_names team_name'),
  lists: {},
};

export const COMPETITION: Kind = {
  name: 'competition',
  shape: CompetitionCreate.shape,
  used: names(COMPUTED_FIELDS, namesOf(CompetitionRecord.shape), PUBLIC_COMPETITION_FIELDS, 'timetable'),
  lists: { competitors: COMPETITOR, teams: TEAM, relay_teams: RELAY_TEAM, events: EVENT },
};
