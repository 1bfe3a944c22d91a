// Units of an upload as they would be stored, each under its key and with a hash: equal hash, no change. Pure.
import type { UnitKey } from '../../addresses.ts';
import { contentHash } from '../../content-hash.ts';
import { inSlices } from '../../in-slices.ts';
import type { SentResult, SentUnit } from '../schemas.ts';
import { storableUnit } from './merged-unit.ts';

/** An event of the upload; without `units` it gets those that its rounds ask for. `results`: of a combined event. */
export type SentEventUnits = {
  event_id: string;
  event_code?: string | null | undefined;
  units?: SentUnit[] | null | undefined;
  results?: SentResult[] | null | undefined;
};

/** A sent unit as it would be stored, under its key. */
export type HashedUnit = UnitKey & { key: string; record: Record<string, unknown>; sentHash: string };

const SLICE = 100;

export async function hashUnits(sentEvents: SentEventUnits[]): Promise<HashedUnit[]> {
  const sent = sentEvents.flatMap(({ event_id, units }) => (units ?? []).map((unit) => ({ event_id, unit })));
  return inSlices(sent, SLICE, ({ event_id, unit }) => hashedUnit(event_id, unit));
}

export function hashedUnit(
  eventId: string,
  sent: { round: number; heat: number; [field: string]: unknown },
): HashedUnit {
  const record = storableUnit(sent);
  const { round, heat } = sent;
  const unit = { eventId, round, heat };
  return { ...unit, key: keyOf(unit), record, sentHash: contentHash(JSON.stringify(record)) };
}

export const keyOf = ({ eventId, round, heat }: UnitKey) => JSON.stringify([eventId, round, heat]);
