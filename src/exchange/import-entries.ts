// Import of entries from a spreadsheet: read, judged whole, and stored as an upload of competitors is.
import type { Actor } from '../accounts/permissions.ts';
import type { Sent } from '../competitions/schemas.ts';
import { CompetitionUpdate } from '../competitions/schemas.ts';
import { readParts } from '../competitions/record-with-parts-store.ts';
import { updateCompetition } from '../competitions/update.ts';
import type { UploadPart } from '../competitions/upload.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Invalid, type Issue } from '../errors.ts';
import { findBodyFaults } from '../http/body-faults.ts';
import { createProblems } from '../http/problems.ts';
import { validate } from '../http/validation.ts';
import { type CsvFault, readCsv } from './csv-read.ts';
import { competitorsIn, type SentCompetitors } from './entries-csv.ts';

type ImportDeps = Pick<Deps, 'db' | 'reads' | 'now'>;

/**
 * @returns what it changes, or would change
 * @throws NotFound; Forbidden; Invalid with every fault by its line and column: then nothing is stored
 */
export async function importEntries(
  deps: ImportDeps,
  actor: Actor,
  id: string,
  { bytes, dryRun }: { bytes: Uint8Array; dryRun: boolean },
) {
  const csv = readCsv(bytes);
  const parts = await inSnapshot(deps.reads, (tx) => readParts(tx, id));
  const stored = new Map(parts.competitors.map(({ record }) => [String(record['competitor_id']), record]));
  const { sent, faults } = competitorsIn(csv, stored);
  const problems = csv.faults.length > 0 ? csv.faults : faults;
  const body = judged(sent, problems);
  const changed = { competitors: 0, units: 0 };
  const onStored = (part: UploadPart, rows: number) => {
    if (part === 'competitors' || part === 'units') changed[part] = rows;
  };
  try {
    await updateCompetition(deps, actor, id, body, { onStored, rehearsal: dryRun });
  } catch (error) {
    throw error instanceof Invalid ? new Invalid(error.issues.map((one) => inFile(one, sent))) : error;
  }
  const eventIds = new Set(parts.events.map(({ eventId }) => eventId));
  return {
    dry_run: dryRun,
    encoding: csv.encoding,
    rows: csv.rows.length,
    competitors: sent.competitors.length,
    entries: sent.entries,
    changed,
    warnings: warningsOf(sent, eventIds),
  };
}

/** The upload that the rows are. @throws Invalid */
function judged(sent: SentCompetitors, faults: CsvFault[]): CompetitionUpdate {
  const problems = createProblems();
  for (const fault of faults) problems.add(() => issueOf(fault));
  const body = { competitors: sent.competitors };
  findBodyFaults(body, 8, problems);
  const found = validate(CompetitionUpdate, body);
  for (const issue of found.error?.issues ?? []) problems.add(() => issue);
  if (found.error || problems.count() > 0) throw new Invalid(problems.told().map((one) => inFile(one, sent)));
  return found.value;
}

const issueOf = ({ line, column, message }: CsvFault): Issue => ({
  loc: ['body', ...(line ? ['line', line] : []), ...(column ? ['column', column] : [])],
  msg: message,
  type: 'value_error',
});

/** A fault of the upload as one of the file. */
function inFile(issue: Issue, sent: SentCompetitors): Issue {
  const [, section, index, ...path] = issue.loc;
  if (section !== 'competitors' || typeof index !== 'number') return issue;
  return { ...issue, loc: issueOf(sent.placeOf(index, path)).loc };
}

const SHOWN = 20;

function warningsOf({ competitors, unknown, ignored }: SentCompetitors, known: Set<string>) {
  const entered = competitors.flatMap((one) => (one['events_entered'] ?? []) as Sent[]);
  const events = new Set(entered.map((entry) => entry['event_id']).filter((one) => typeof one === 'string'));
  const missing = [...events].filter((one) => !known.has(one)).slice(0, SHOWN);
  return [
    ...unknown.map((column) =>
      warning(column, 'Unknown column: it is kept as a field of that name', 'unknown_field'),
    ),
    ...ignored.map((column) => warning(column, 'Not read', 'ignored')),
    ...missing.map((one) =>
      warning('Event', `No event ${one.slice(0, 64)} in this competition yet`, 'reference'),
    ),
  ];
}

const warning = (column: string, msg: string, type: string) => ({
  loc: ['body', 'column', column],
  msg,
  type,
});
