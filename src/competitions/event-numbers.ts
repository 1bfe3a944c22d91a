// Numbers by which photo-finish programs know the events of a competition: as sent, else the lowest free, once and for good. Pure.
import type { Issue } from '../errors.ts';
import type { Sent } from './schemas.ts';

/** The largest: these programs write three digits. Events beyond as many have none. */
export const LAST_EVENT_NO = 999;
const FIELD = 'lynx_event_no';

/** An event as far as it is numbered. */
export type Numbered = { eventId: string; no: number | null };

export type EventNumbers = {
  /** Numbers that were sent though another event has them. */
  issues: Issue[];
  /** The record of an event with its number. */
  completed: (record: Sent) => Sent;
};

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const idOf = (event: Sent): string => String(event['event_id']);

/** What the events of an upload are numbered, in the order in which they come. */
export function eventNumbers(stored: Numbered[], sent: Sent[]): EventNumbers {
  const numbers = new Map(stored.flatMap(({ eventId, no }) => (no === null ? [] : [[eventId, no] as const])));
  for (const event of sent) {
    const no = numberOf(event[FIELD]);
    if (no !== null) numbers.set(idOf(event), no);
  }
  const holders = holdersOf(numbers);
  const issues = sent.flatMap((event, index) => {
    const no = numberOf(event[FIELD]);
    const other = no === null ? undefined : holders.get(no)?.find((eventId) => eventId !== idOf(event));
    return other === undefined ? [] : [clash(index, no!, other)];
  });
  const free = freeNumbers(new Set(numbers.values()));
  for (const event of sent) {
    if (numbers.has(idOf(event))) continue;
    const { value } = free.next();
    if (value === undefined) break;
    numbers.set(idOf(event), value);
  }
  return {
    issues,
    completed(record) {
      const { [FIELD]: _sent, ...others } = record;
      const no = numbers.get(idOf(record));
      if (no === undefined) return others;
      // Where it stands already it stays, so that the same record has the same text.
      return FIELD in record ? { ...record, [FIELD]: no } : { ...others, [FIELD]: no };
    },
  };
}

function holdersOf(numbers: ReadonlyMap<string, number>): Map<number, string[]> {
  const holders = new Map<number, string[]>();
  for (const [eventId, no] of numbers) holders.set(no, [...(holders.get(no) ?? []), eventId]);
  return holders;
}

const clash = (index: number, no: number, other: string): Issue => ({
  loc: ['body', 'events', index, FIELD],
  msg: `Event ${other} has the number ${no}: an event has a ${FIELD} of its own`,
  type: 'value_error',
});

function* freeNumbers(taken: ReadonlySet<number>): Generator<number, undefined> {
  for (let no = 1; no <= LAST_EVENT_NO; no++) if (!taken.has(no)) yield no;
  return undefined;
}
