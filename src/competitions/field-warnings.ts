// Warnings about the fields of an upload: names that nobody knows, and what the public will not see. Pure.
import type { Issue } from '../errors.ts';
import { standsFor } from '../http/spelling.ts';
import { COMPETITION, type Kind } from './known-fields.ts';
import { publicCompetitor, publicExtra } from '../privacy/public-fields.ts';
import { withoutPersonal } from '../privacy/public-view.ts';
import type { CompetitionCreate, Sent } from './schemas.ts';

type Path = (string | number)[];
type Publicity = { firstDay: string; publishDateOfBirth: boolean };

/** Names that were told of, by kind of object: each is told of once, where it occurs first. */
type Told = { unknown: Set<string>; hidden: Set<string> };

/** One after the other, as far as they are asked for. */
export function* fieldWarnings(sent: CompetitionCreate, publishDateOfBirth: boolean): Iterable<Issue> {
  const publicity = { firstDay: sent.date, publishDateOfBirth };
  const told: Told = { unknown: new Set(), hidden: new Set() };
  for (const { object, kind, loc, at } of objectsIn(sent, COMPETITION, ['body'], '')) {
    const beyond = Object.keys(object).filter((name) => !Object.hasOwn(kind.shape, name));
    if (beyond.length === 0) continue;
    for (const name of beyond) {
      if (kind.used.has(name) || isTold(told.unknown, `${at}.${name}`)) continue;
      yield { loc: [...loc, name], msg: unknownField(name, object, kind), type: 'unknown_field' };
    }
    const judged = beyond.filter((name) => kind.name !== 'competition' || !kind.used.has(name));
    const shown = shownOf(kind, Object.fromEntries(judged.map((name) => [name, object[name]])), publicity);
    for (const name of judged.filter((name) => isHidden(object, shown, name))) {
      if (isTold(told.hidden, `${at}.${name}`)) continue;
      yield { loc: [...loc, name], msg: hiddenField(name, shown), type: 'hidden' };
    }
  }
}

type Found = { object: Sent; kind: Kind; loc: Path; at: string };

function* objectsIn(object: Sent, kind: Kind, loc: Path, at: string): Iterable<Found> {
  yield { object, kind, loc, at };
  for (const [name, child] of Object.entries(kind.lists)) {
    for (const [index, item] of ((object[name] ?? []) as Sent[]).entries())
      yield* objectsIn(item, child, [...loc, name, index], `${at}.${name}`);
  }
}

function isTold(told: Set<string>, name: string): boolean {
  if (told.has(name)) return true;
  told.add(name);
  return false;
}

// A field that is there already is not the one that was meant.
function unknownField(name: string, object: Sent, { shape, used }: Kind): string {
  const meant = [...Object.keys(shape), ...used].find(
    (known) => standsFor(name, known) && !Object.hasOwn(object, known),
  );
  return `Unknown field: it is kept as sent${meant === undefined ? '' : `; is ${meant} meant?`}`;
}

/** What the public sees of these fields. */
function shownOf({ name }: Kind, fields: Sent, { firstDay, publishDateOfBirth }: Publicity): Sent {
  const year = Number(firstDay.slice(0, 4));
  if (name === 'competitor') return publicCompetitor(fields, firstDay, publishDateOfBirth);
  if (name === 'competition') return publicExtra(fields, year);
  if (name !== 'entry') return withoutPersonal(fields, year);
  const entered = publicCompetitor({ events_entered: [fields] }, firstDay, publishDateOfBirth)[
    'events_entered'
  ];
  return (entered as Sent[])[0]!;
}

const isHidden = (object: Sent, shown: Sent, name: string): boolean =>
  !Object.hasOwn(shown, name) ||
  (shown[name] !== object[name] && JSON.stringify(shown[name]) !== JSON.stringify(object[name]));

const hiddenField = (name: string, shown: Sent): string =>
  Object.hasOwn(shown, name) ? 'Part of this is not shown to the public' : 'Not shown to the public';
