// Reads of one competition: prepared JSON texts, as rendered at each save.
import { type Actor, mayEdit } from '../accounts/permissions.ts';
import type { Tx } from '../db/client.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { type PartsWithUnits, recordWithParts } from './record-with-parts.ts';
import { readParts, readUnitsWithRecords } from './record-with-parts-store.ts';
import type { Includable } from './schemas.ts';
import { findAccess, findRecordTexts } from './store.ts';

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
