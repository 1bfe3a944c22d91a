// Export of a person's data: everything stored about those of one name, competition by competition.
import { OPERATOR } from '../audit/entry.ts';
import { writeAudit } from '../audit/store.ts';
import type { Tx } from '../db/client.ts';
import { inSnapshot, inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { nobodyOf, othersOf } from './erase-person.ts';
import { type Fields, isNamed, personIn, searchWord, withBib } from './person.ts';
import { competitionNamed, competitionsHolding, loadStored, type Stored } from './store.ts';

type Wanted = { name: string; competitionId?: string | undefined };

/** @throws NotFound when nobody has the name */
export async function exportPerson(deps: Pick<Deps, 'db' | 'reads'>, { name, competitionId }: Wanted) {
  const competitions: Exported[] = [];
  for (const id of await competitionsHolding(deps.reads, searchWord(name), competitionId)) {
    const found = await inSnapshot(deps.reads, (tx) => exportFrom(tx, id, name));
    if (found) competitions.push(found);
  }
  if (competitions.length === 0) throw nobodyOf(name);
  await inTransaction(deps.db, (tx) =>
    writeAudit(
      tx,
      OPERATOR,
      ...competitions.map(({ competition }) => ({
        action: 'person.export' as const,
        competitionId: competition.id,
      })),
    ),
  );
  return { name, competitions };
}

type Exported = NonNullable<Awaited<ReturnType<typeof exportFrom>>>;

async function exportFrom(tx: Tx, id: string, name: string) {
  const competition = await competitionNamed(tx, id);
  const own = ownIn(await loadStored(tx, id), name);
  return competition && own && { competition, ...own };
}

function ownIn(stored: Stored, name: string) {
  const records = stored.competitors.map(({ record }) => record);
  const person = personIn(records, othersOf(stored), name);
  if (!person) return null;
  const relayTeams = stored.relayTeams.flatMap(({ record }) =>
    ((record['runners'] ?? []) as unknown[]).some((runner) => person.bibs.has(String(runner)))
      ? [record]
      : [],
  );
  const bibsIn = (eventId: unknown) =>
    new Set([
      ...person.bibs,
      ...relayTeams.flatMap((team) => (team['event_id'] === eventId ? [team['relay_team_id']] : [])),
    ]);
  const ownOf = (eventId: unknown, list: unknown): Fields[] =>
    withBib(list).filter(({ bib }) => bibsIn(eventId).has(bib as string));
  return {
    competitors: records.filter((record) => isNamed(record, name)),
    relay_teams: relayTeams,
    events: stored.events.flatMap(({ record }) => {
      const results = ownOf(record['event_id'], record['results']);
      return results.length > 0 ? [{ event_id: record['event_id'], results }] : [];
    }),
    units: stored.units.flatMap(({ eventId, round, heat, record }) => {
      const [results, trials] = [ownOf(eventId, record['results']), ownOf(eventId, record['trials'])];
      return results.length + trials.length > 0 ? [{ event_id: eventId, round, heat, results, trials }] : [];
    }),
  };
}
