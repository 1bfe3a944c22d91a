// What clients received held against what was saved: nothing lost, nothing out of order, repeats counted.
import { setTimeout as sleep } from 'node:timers/promises';
import { get } from './http-client.ts';
import type { Pushed } from './push-client.ts';
import { type Meeting, overviewKeyOf, type Save } from './steady-saves.ts';

/** In the order of the revisions, which are given out as saves commit. */
export type Deliveries = { expected: number; missing: string[]; repeated: number; outOfOrder: number };

/** The overview channel against the saves. An event that no save caused is out of order wherever it comes. */
export function overviewDeliveries({ overview }: Meeting, saves: Save[], received: Pushed[]): Deliveries {
  const revisions = new Map(
    saves.flatMap(({ overviewKey, revision }) => (overviewKey ? [[overviewKey, revision] as const] : [])),
  );
  const keys = received.filter(({ channel }) => channel === overview).map(overviewKeyOf);
  const first = new Set(keys);
  return {
    expected: revisions.size,
    missing: [...revisions.keys()].filter((key) => !first.has(key)),
    repeated: keys.length - first.size,
    outOfOrder: descents([...first].map((key) => revisions.get(key) ?? 0)),
  };
}

/** The units' channels: each shows revisions that rise, and not necessarily each of them. */
export function snapshotDeliveries({ lanes }: Meeting, received: Pushed[]) {
  const channels = lanes.map(({ channel }) => {
    const revisions = received.filter((pushed) => pushed.channel === channel).map(revisionOf);
    const first = [...new Set(revisions)];
    return {
      snapshots: first.length,
      repeated: revisions.length - first.length,
      outOfOrder: descents(first),
    };
  });
  const sum = (pick: (channel: (typeof channels)[number]) => number) =>
    channels.reduce((total, channel) => total + pick(channel), 0);
  return {
    snapshots: sum(({ snapshots }) => snapshots),
    repeated: sum(({ repeated }) => repeated),
    outOfOrder: sum(({ outOfOrder }) => outOfOrder),
  };
}

export const revisionOf = ({ data }: Pushed): number => (data as { revision: number }).revision;

function descents(revisions: number[]): number {
  let highest = 0;
  let count = 0;
  for (const revision of revisions) {
    if (revision < highest) count += 1;
    highest = Math.max(highest, revision);
  }
  return count;
}

/** Waits for every overview event of the saves, and for a snapshot of each unit that holds the last of them. */
export async function delivered(meeting: Meeting, saves: Save[], received: Pushed[], patienceMs = 60_000) {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const missing = overviewDeliveries(meeting, saves, received).missing.length;
    const late = lastRevisions(saves).filter(
      ([channel, revision]) =>
        !received.some((pushed) => pushed.channel === channel && revisionOf(pushed) >= revision),
    ).length;
    if (missing + late === 0) return;
    if (performance.now() > deadline) throw new Error(`${missing} events and ${late} last snapshots missing`);
    await sleep(50);
  }
}

function lastRevisions(saves: Save[]): [string, number][] {
  const last = new Map<string, number>();
  for (const { channel, revision } of saves) last.set(channel, Math.max(last.get(channel) ?? 0, revision));
  return [...last];
}

/** Channels whose last snapshot is not what the data site shows. */
export async function staleChannels(
  baseUrl: string,
  { lanes }: Meeting,
  received: Pushed[],
): Promise<string[]> {
  const stale: string[] = [];
  for (const { channel, jsonPath } of lanes) {
    const last = received.findLast((pushed) => pushed.channel === channel);
    const { text } = await get(baseUrl + jsonPath);
    if (JSON.stringify(last?.data) !== text) stale.push(channel);
  }
  return stale;
}
