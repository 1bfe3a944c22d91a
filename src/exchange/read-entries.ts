// The entries of a competition as a spreadsheet, which comes back as an import.
import { type Actor, mayEdit } from '../accounts/permissions.ts';
import { readParts } from '../competitions/record-with-parts-store.ts';
import { findAccess } from '../competitions/store.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { publicCompetitor } from '../privacy/public-fields.ts';
import { type Delimiter, headerLine, line } from './csv-write.ts';
import { columnsFor, entryRows, headerOf } from './entries-csv.ts';

/** In pieces; everything for those who may edit the competition, the public view for others. @throws NotFound */
export async function readEntries(
  deps: Deps,
  actor: Actor,
  id: string,
  delimiter: Delimiter,
): Promise<AsyncIterable<string>> {
  const access = await findAccess(deps.reads, id);
  if (!access) throw new NotFound(`No competition ${id}`);
  const { competition, competitors } = await inSnapshot(deps.reads, (tx) => readParts(tx, id));
  const everything = mayEdit(actor, access);
  const records = competitors.map(({ record }) =>
    everything ? record : publicCompetitor(record, competition.date, deps.config.PUBLISH_DATE_OF_BIRTH),
  );
  return lines(records, everything || deps.config.PUBLISH_DATE_OF_BIRTH, delimiter);
}

async function* lines(records: Record<string, unknown>[], withBirth: boolean, delimiter: Delimiter) {
  const columns = columnsFor(records, withBirth);
  yield headerLine(columns.map(headerOf), delimiter);
  for (const record of records) for (const row of entryRows(record)) yield line(columns, row, delimiter);
}
