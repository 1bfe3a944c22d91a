// Reads of the calendar: prepared JSON texts, as rendered at each save.
import { type Actor, administered, mayEdit } from '../accounts/permissions.ts';
import { coveredBy } from '../countries.ts';
import type { Executor, Tx } from '../db/client.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { type PartsWithUnits, recordWithParts } from './record-with-parts.ts';
import { readParts, readUnitsWithRecords } from './record-with-parts-store.ts';
import type { Includable, ListQuery } from './schemas.ts';
import { countRecords, findAccess, findRecordTexts, listRecords } from './store.ts';

/**
 * Records of the competitions that overlap the days asked for as a JSON array, and how many there are in all; GBR includes
 * the home nations. Each with all its fields for those who may edit it, else with the public ones.
 */
export async function listCompetitions(
  db: Executor,
  actor: Actor,
  { country, from_date, to_date, updated_since, limit, offset }: ListQuery,
): Promise<{ text: string; total: number }> {
  const filter = {
    countryIds: country === undefined ? undefined : coveredBy(country),
    from: from_date,
    to: to_date,
    updatedSince: updated_since === undefined ? undefined : new Date(updated_since),
  };
  const records = await listRecords(db, filter, { limit, offset, reader: readerOf(actor) });
  const whole = limit === undefined && !offset;
  return { text: `[${records.join()}]`, total: whole ? records.length : await countRecords(db, filter) };
}

const readerOf = (actor: Actor) => ({
  accountId: actor.id,
  countryIds: administered(actor),
});

/**
 * The record's JSON text, with parts of the competition when asked for. Who may edit it sees what was sent; others the
 * public view.
 * @throws NotFound
 */
export async function readCompetition(
  deps: Deps,
  actor: Actor,
  id: string,
  include: Includable[],
): Promise<string> {
  if (include.length > 0) return readWithParts(deps, actor, id, include);
  const found = await findRecordTexts(deps.reads, id);
  if (found === null) throw new NotFound(`No competition ${id}`);
  return (mayEdit(actor, found) ? found.privateText : null) ?? found.recordText;
}

async function readWithParts(deps: Deps, actor: Actor, id: string, include: Includable[]): Promise<string> {
  const access = await findAccess(deps.reads, id);
  if (!access) throw new NotFound(`No competition ${id}`);
  const parts = await inSnapshot(deps.reads, (tx) => readPartsWithUnits(tx, id));
  const { PUBLISH_DATE_OF_BIRTH: publishDateOfBirth } = deps.config;
  return recordWithParts(parts, include, { everything: mayEdit(actor, access), publishDateOfBirth });
}

async function readPartsWithUnits(tx: Tx, id: string): Promise<PartsWithUnits> {
  const parts = await readParts(tx, id);
  const eventIds = parts.events.map(({ eventId }) => eventId);
  return { ...parts, units: await readUnitsWithRecords(tx, { id, eventIds }) };
}
