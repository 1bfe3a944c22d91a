// The entries of a competition as a spreadsheet, which comes back as an import; page by page.
import type { Tx } from '../db/client.ts';
import { publicCompetitor } from '../privacy/public-fields.ts';
import { type Delimiter, headerLine, line } from './csv-write.ts';
import { columnsFor, entryRows, headerOf, noteColumns } from './entries-csv.ts';
import { competitionOf, competitorPages } from './files-store.ts';

type Fields = Record<string, unknown>;
type Wanted = {
  delimiter: Delimiter;
  /** For those who may edit the competition; else the public view. */
  everything: boolean;
  publishDateOfBirth: boolean;
};

/** As the snapshot has it; null when there is no such competition. */
export async function readEntries(tx: Tx, id: string, { delimiter, everything, publishDateOfBirth }: Wanted) {
  const competition = await competitionOf(tx, id);
  if (!competition) return null;
  const { firstDay, revision } = competition;
  const shown = (record: Fields) =>
    everything ? record : publicCompetitor(record, firstDay, publishDateOfBirth);

  async function* records(name: string): AsyncIterable<Fields> {
    for await (const page of competitorPages(tx, id, name))
      for (const { record } of page) yield shown(record);
  }
  async function* lines(): AsyncIterable<string> {
    // The first line names the columns of all: everybody is read twice, and nobody kept.
    const extra = new Set<string>();
    for await (const record of records('columns')) noteColumns(record, extra);
    const columns = columnsFor(extra, everything || publishDateOfBirth);
    yield headerLine(columns.map(headerOf), delimiter);
    for await (const record of records('rows'))
      for (const row of entryRows(record)) yield line(columns, row, delimiter);
  }
  return { pieces: lines(), revision };
}
