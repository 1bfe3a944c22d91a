// Merges what was sent of competitors, teams, relay teams and events into the stored rows, by key, writing only differences.
import { isDeepStrictEqual } from 'node:util';
import { eq, inArray, and } from 'drizzle-orm';
import { bulkUpsert } from '../db/bulk.ts';
import type { Tx } from '../db/client.ts';
import { competitors, entries, events, relayTeams, teams } from '../db/schema.ts';
import { inSlices } from '../in-slices.ts';
import { contentHash } from '../units/saving/record.ts';

type Sent = Record<string, unknown>;
type SectionTable = typeof competitors | typeof teams | typeof relayTeams | typeof events;

export type Section = {
  table: SectionTable;
  /** The names of the key, as sent. */
  keys: readonly string[];
  /** The typed columns of a merged record. */
  columns: (record: Sent) => Record<string, unknown>;
};

export type SectionRow = Record<string, unknown> & { record: Sent; before: Sent | null };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const COMPETITORS: Section = {
  table: competitors,
  keys: ['competitor_id'],
  columns: (record) => ({
    competitorId: record['competitor_id'],
    firstName: text(record['first_name']),
    lastName: text(record['last_name']),
    dateOfBirth: textOrNull(record['date_of_birth']),
    gender: textOrNull(record['gender']),
    teamId: textOrNull(record['team_id']),
  }),
};

export const TEAMS: Section = {
  table: teams,
  keys: ['team_id'],
  columns: (record) => ({ teamId: record['team_id'], teamName: text(record['team_name']) }),
};

export const RELAY_TEAMS: Section = {
  table: relayTeams,
  keys: ['event_id', 'relay_team_id'],
  columns: (record) => ({
    eventId: record['event_id'],
    relayTeamId: record['relay_team_id'],
    name: text(record['name']),
    teamId: textOrNull(record['team_id']),
  }),
};

export const EVENTS: Section = {
  table: events,
  keys: ['event_id'],
  columns: (record) => ({
    eventId: record['event_id'],
    eventCode: text(record['event_code']),
    name: text(record['name']),
    parent: textOrNull(record['parent']),
    rounds: textOrNull(record['rounds']),
  }),
};

const SLICE = 500;

/** Writes the rows that differ from what is stored and returns them, each with its record before. */
export async function mergeSection(
  tx: Tx,
  section: Section,
  competitionId: string,
  sent: Sent[],
): Promise<SectionRow[]> {
  if (sent.length === 0) return [];
  const stored = await storedHashes(tx, section, competitionId);
  const keyOf = (record: Sent) => JSON.stringify(section.keys.map((name) => record[name]));
  const compared = await inSlices(sent, SLICE, (object) => ({
    object,
    hash: contentHash(JSON.stringify(object)),
    at: stored.rows.get(keyOf(object)),
  }));
  const changed = compared.filter(({ hash, at }) => at?.sentHash !== hash);
  const records = await storedRecords(
    tx,
    section,
    competitionId,
    changed.flatMap(({ at }) => at?.position ?? []),
  );
  const rows: SectionRow[] = [];
  function* merged() {
    let { lastPosition } = stored;
    for (let from = 0; from < changed.length; from += SLICE) {
      const slice = changed.slice(from, from + SLICE).flatMap(({ object, hash, at }): SectionRow[] => {
        const before = at ? (records.get(at.position) ?? null) : null;
        const record = { ...before, ...object };
        if (before && isDeepStrictEqual(record, before)) return [];
        const position = at?.position ?? ++lastPosition;
        return [{ competitionId, ...section.columns(record), position, record, sentHash: hash, before }];
      });
      rows.push(...slice);
      yield slice.map(withoutBefore);
    }
  }
  await bulkUpsert(tx, section.table, merged());
  return rows;
}

type Insert = SectionTable['$inferInsert'];
const withoutBefore = ({ before: _before, ...row }: SectionRow) => row as unknown as Insert;

async function storedHashes(tx: Tx, { table, keys }: Section, competitionId: string) {
  const columns = table as unknown as typeof relayTeams;
  const found = await tx
    .select({ position: columns.position, sentHash: columns.sentHash, ...keyColumns(table) })
    .from(columns)
    .where(eq(columns.competitionId, competitionId));
  const key = (row: Record<string, unknown>) => JSON.stringify(keys.map((_, index) => row[`key${index}`]));
  const rows = new Map(found.map((row) => [key(row), row]));
  return { rows, lastPosition: found.reduce((last, { position }) => Math.max(last, position), -1) };
}

function keyColumns(table: SectionTable) {
  if ('competitorId' in table) return { key0: table.competitorId };
  if ('relayTeamId' in table) return { key0: table.eventId, key1: table.relayTeamId };
  return { key0: 'eventId' in table ? table.eventId : table.teamId };
}

async function storedRecords(tx: Tx, { table }: Section, competitionId: string, positions: number[]) {
  if (positions.length === 0) return new Map<number, Sent>();
  const columns = table as unknown as typeof relayTeams;
  const found = await tx
    .select({ position: columns.position, record: columns.record })
    .from(columns)
    .where(and(eq(columns.competitionId, competitionId), inArray(columns.position, positions)));
  return new Map(found.map(({ position, record }) => [position, record]));
}

/** Replaces the entries of the changed competitors. */
export async function replaceEntries(tx: Tx, competitionId: string, changed: SectionRow[]): Promise<void> {
  const moved = changed.filter(({ record, before }) => {
    const entered = record['events_entered'] ?? [];
    return !before || !isDeepStrictEqual(entered, before['events_entered'] ?? []);
  });
  const known = moved.filter(({ before }) => before).map(({ record }) => text(record['competitor_id']));
  if (known.length) {
    await tx
      .delete(entries)
      .where(and(eq(entries.competitionId, competitionId), inArray(entries.competitorId, known)));
  }
  const rows = moved.flatMap(({ record }) =>
    ((record['events_entered'] ?? []) as Sent[]).map((entry, position) => ({
      competitionId,
      competitorId: text(record['competitor_id']),
      position,
      eventId: text(entry['event_id']),
      eventCode: text(entry['event_code']),
    })),
  );
  await bulkUpsert(tx, entries, [rows]);
}
