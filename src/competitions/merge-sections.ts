// Sections of an upload (competitors, teams, relay teams, events) merged into the stored rows by key; only differences are written.
import { isDeepStrictEqual } from 'node:util';
import { and, eq } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { contentHash } from '../content-hash.ts';
import { among } from '../db/among.ts';
import { bulkWriter } from '../db/bulk.ts';
import type { Tx } from '../db/client.ts';
import { competitors, entries, events, relayTeams, teams } from '../db/schema.ts';
import { inSlices } from '../in-slices.ts';
import type { Sent } from './schemas.ts';

type SectionTable = typeof competitors | typeof teams | typeof relayTeams | typeof events;
/** What the merge itself puts into every row. */
type Merged = 'competitionId' | 'position' | 'record' | 'sentHash';

export type Section<Table extends SectionTable> = {
  table: Table;
  /** The fields by which an object is known, as sent, and their columns. */
  key: Record<string, PgColumn>;
  /** The typed columns of a merged record. */
  columns: (record: Sent) => Omit<Table['$inferInsert'], Merged>;
  /** The merged record with what the service gives it. */
  completed?: (record: Sent) => Sent;
};

/** A row that was written: its record, and the one that it replaces. */
export type MergedRow = { record: Sent; before: Sent | null };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const COMPETITORS: Section<typeof competitors> = {
  table: competitors,
  key: { competitor_id: competitors.competitorId },
  columns: (record) => ({
    competitorId: text(record['competitor_id']),
    firstName: text(record['first_name']),
    lastName: text(record['last_name']),
    dateOfBirth: textOrNull(record['date_of_birth']),
    gender: textOrNull(record['gender']),
    teamId: textOrNull(record['team_id']),
  }),
};

export const TEAMS: Section<typeof teams> = {
  table: teams,
  key: { team_id: teams.teamId },
  columns: (record) => ({ teamId: text(record['team_id']), teamName: text(record['team_name']) }),
};

export const RELAY_TEAMS: Section<typeof relayTeams> = {
  table: relayTeams,
  key: { event_id: relayTeams.eventId, relay_team_id: relayTeams.relayTeamId },
  columns: (record) => ({
    eventId: text(record['event_id']),
    relayTeamId: text(record['relay_team_id']),
    name: text(record['name']),
    teamId: textOrNull(record['team_id']),
  }),
};

export const EVENTS: Section<typeof events> = {
  table: events,
  key: { event_id: events.eventId },
  columns: (record) => ({
    eventId: text(record['event_id']),
    eventCode: text(record['event_code']),
    name: text(record['name']),
    parent: textOrNull(record['parent']),
    rounds: textOrNull(record['rounds']),
  }),
};

const SLICE = 500;

/** Writes the rows that differ from what is stored, and returns them. */
export async function mergeSection<Table extends SectionTable>(
  tx: Tx,
  section: Section<Table>,
  competitionId: string,
  sent: Sent[],
): Promise<MergedRow[]> {
  if (sent.length === 0) return [];
  const stored = await storedHashes(tx, section, competitionId);
  const compared = await inSlices(sent, SLICE, (object) => ({
    object,
    sentHash: contentHash(JSON.stringify(object)),
    at: stored.rows.get(keyOf(section, object)),
  }));
  const changed = compared.filter(({ sentHash, at }) => at?.sentHash !== sentHash);
  const positions = changed.flatMap(({ at }) => at?.position ?? []);
  const records = await storedRecords(tx, section.table, competitionId, positions);
  const merged: MergedRow[] = [];
  const writer = bulkWriter(tx, section.table);
  let { lastPosition } = stored;
  for (let from = 0; from < changed.length; from += SLICE) {
    const rows: Table['$inferInsert'][] = [];
    for (const { object, sentHash, at } of changed.slice(from, from + SLICE)) {
      const before = at ? (records.get(at.position) ?? null) : null;
      const merge = { ...before, ...object };
      const record = section.completed?.(merge) ?? merge;
      if (before && isDeepStrictEqual(record, before)) continue;
      const position = at?.position ?? ++lastPosition;
      const row = { competitionId, ...section.columns(record), position, record, sentHash };
      // The compiler does not put the two halves of a generic table's row together.
      rows.push(row as Table['$inferInsert']);
      merged.push({ record, before });
    }
    await writer.write(rows);
  }
  await writer.end();
  return merged;
}

const keyOf = ({ key }: Pick<Section<SectionTable>, 'key'>, fields: Sent) =>
  JSON.stringify(Object.keys(key).map((name) => fields[name]));

type Key = Pick<Section<SectionTable>, 'table' | 'key'>;

/** Where each object stands and what it was last sent as, by key. */
async function storedHashes(tx: Tx, { table, key }: Key, competitionId: string) {
  const found = await tx
    .select({ position: table.position, sentHash: table.sentHash, key })
    .from(table)
    .where(eq(table.competitionId, competitionId));
  const rows = new Map(found.map((row) => [keyOf({ key }, row.key), row]));
  return { rows, lastPosition: found.reduce((last, { position }) => Math.max(last, position), -1) };
}

async function storedRecords(tx: Tx, table: SectionTable, competitionId: string, positions: number[]) {
  if (positions.length === 0) return new Map<number, Sent>();
  const found = await tx
    .select({ position: table.position, record: table.record })
    .from(table)
    .where(and(eq(table.competitionId, competitionId), among(table.position, positions)));
  return new Map(found.map(({ position, record }) => [position, record]));
}

/** Replaces the entries of the changed competitors. */
export async function replaceEntries(tx: Tx, competitionId: string, changed: MergedRow[]): Promise<void> {
  const moved = changed.filter(({ record, before }) => {
    const entered = record['events_entered'] ?? [];
    return !before || !isDeepStrictEqual(entered, before['events_entered'] ?? []);
  });
  const known = moved.filter(({ before }) => before).map(({ record }) => text(record['competitor_id']));
  if (known.length) {
    await tx
      .delete(entries)
      .where(and(eq(entries.competitionId, competitionId), among(entries.competitorId, known)));
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
  const writer = bulkWriter(tx, entries);
  await writer.write(rows);
  await writer.end();
}
