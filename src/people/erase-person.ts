// Erases a person: everybody of one name in one competition or in all. Results stay, without the name; what shows it is rendered
// again and pushed, and what waits to be published is rewritten.
import { OPERATOR } from '../audit/entry.ts';
import { writeAudit } from '../audit/store.ts';
import { lockCompetition, updateCompetitionRow } from '../competitions/store.ts';
import { renderUnitsAgain } from '../competitions/upload.ts';
import type { Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { rewriteWaiting } from '../push/outbox-store.ts';
import { forgetAnswers } from '../units/idempotency-store.ts';
import {
  anonymousCompetitor,
  type Fields,
  isNamed,
  type Person,
  personIn,
  searchWord,
  withoutPerson,
} from './person.ts';
import {
  competitionsHolding,
  loadStored,
  replaceCompetitor,
  replaceEvent,
  replaceRelayTeam,
  replaceTeam,
  replaceUnitRecord,
  type Stored,
} from './store.ts';

type Wanted = { name: string; competitionId?: string | undefined };

/** How many records of a competition were changed. */
export type Erased = { id: string; competitors: number; units: number; other: number };

/** One transaction for each competition; again, it erases what is left. @throws NotFound when nobody has the name */
export async function erasePerson(
  deps: Pick<Deps, 'db' | 'now'>,
  { name, competitionId }: Wanted,
): Promise<Erased[]> {
  const erased: Erased[] = [];
  for (const id of await competitionsHolding(deps.db, searchWord(name), competitionId)) {
    const one = await inTransaction(deps.db, (tx) => eraseIn(tx, id, name, deps.now()), id);
    if (one) erased.push(one);
  }
  if (erased.length === 0) throw nobodyOf(name);
  return erased;
}

export const nobodyOf = (name: string) =>
  new NotFound(`Nobody of the name ${JSON.stringify(name)} is stored; write it as it is shown`);

async function eraseIn(tx: Tx, id: string, name: string, now: Date): Promise<Erased | null> {
  const { row } = await lockCompetition(tx, id);
  const stored = await loadStored(tx, id);
  const person = personIn(recordsOf(stored.competitors), othersOf(stored), name);
  if (!person) return null;
  const counts = await replaceAll(tx, id, { stored, person, name });
  await rewriteWaiting(tx, id, ({ event, data }) => eventWithout(event, data, person));
  await forgetAnswers(tx, (answer) => withoutPerson(answer, { ...person, bibs: new Set() }) !== answer);
  const revision = await renderUnitsAgain(tx, row, 'all', { now, alsoCompetition: true });
  await updateCompetitionRow(tx, id, { revision: revision! });
  await writeAudit(tx, OPERATOR, { action: 'person.erase', competitionId: id, detail: counts });
  return { id, ...counts };
}

const recordsOf = (rows: { record: Fields }[]): Fields[] => rows.map(({ record }) => record);

/** What was sent besides competitors. */
export const othersOf = ({ teams, relayTeams, events, units }: Stored): Fields[] =>
  [teams, relayTeams, events, units].flatMap(recordsOf);

type Erasure = { stored: Stored; person: Person; name: string };

async function replaceAll(tx: Tx, id: string, { stored, person, name }: Erasure) {
  const changed = <Row extends { record: Fields }>(rows: Row[], change = plain): Row[] =>
    rows.flatMap((row) => {
      const record = change(row.record);
      return record === row.record ? [] : [{ ...row, record }];
    });
  const plain = (record: Fields) => withoutPerson(record, person);
  const competitor = (record: Fields) =>
    isNamed(record, name) ? anonymousCompetitor(record) : plain(record);
  const competitors = changed(stored.competitors, competitor);
  const [teams, relayTeams, events] = [stored.teams, stored.relayTeams, stored.events].map((rows) =>
    changed(rows),
  );
  const units = changed(stored.units);
  for (const row of competitors) await replaceCompetitor(tx, id, row);
  for (const row of teams!) await replaceTeam(tx, id, row);
  for (const row of relayTeams!) await replaceRelayTeam(tx, id, row);
  for (const row of events!) await replaceEvent(tx, id, row);
  for (const unit of units) await replaceUnitRecord(tx, id, unit);
  const other = teams!.length + relayTeams!.length + events!.length;
  return { competitors: competitors.length, units: units.length, other };
}

// An attempt always says whose it is.
function eventWithout(event: string, data: string, person: Person): string {
  const parsed = JSON.parse(data) as Fields;
  const erased = withoutPerson(parsed, person);
  if (erased === parsed) return data;
  return JSON.stringify(event === 'latest_attempt' ? { athlete_name: '', ...erased } : erased);
}
