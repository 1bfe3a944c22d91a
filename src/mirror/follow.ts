// The following of a feed: page by page, each put on the disk before the next is asked for.
import { printable } from '../remote-server.ts';
import { createSemaphore } from '../semaphore.ts';
import { beginReading, endReading, take } from './catalogue.ts';
import { bringUpToDate, Refused, removeDocument, type Target } from './documents.ts';
import { readPage } from './feed.ts';
import { CALENDARS, folderOf } from './places.ts';
import { planOf, type Step } from './plan.ts';
import type { StateFiles } from './state-files.ts';

export type Mirror = {
  base: string;
  target: Target;
  state: StateFiles;
  out: (line: string) => void;
  /** Refusals that were told of: each is, once. */
  said: Set<string>;
};

const AT_ONCE = 4;

/** Asks for everything again, by its ETags, as if nothing had been told before. */
export async function readAnew({ state }: Pick<Mirror, 'state'>): Promise<void> {
  beginReading(state.catalogue);
  Object.assign(state.reading, { cursor: '', anew: true });
  await state.writeReading(state.reading);
}

/** Takes in what has changed, up to the end of the feed. @throws Away, after which it may be called again */
export async function catchUp(mirror: Mirror): Promise<void> {
  const { base, state, out } = mirror;
  const { catalogue, reading } = state;
  if (reading.cursor === '') await readAnew(mirror);
  for (let more = true; more;) {
    const page = await readPage(base, reading.cursor);
    if ('lost' in page) {
      out(`beginning anew: ${printable(page.lost)}`);
      await readAnew(mirror);
      continue;
    }
    for (const change of page.changes) take(catalogue, change);
    more = page.more;
    if (reading.anew && !more) endReading(catalogue);
    if (catalogue.stale.size > 0) await work(mirror, { cursor: page.next, keep: reading.anew && more });
    if (page.next === reading.cursor && !reading.anew) continue;
    Object.assign(reading, { cursor: page.next, anew: reading.anew && more });
    await state.writeReading(reading);
  }
  tellRefused(mirror);
}

type Work = { cursor: string; keep: boolean };

/** Does what the catalogue asks for. What is begun here is in the state before it is on the disk, so that nothing is left behind. */
async function work(mirror: Mirror, { cursor, keep }: Work): Promise<void> {
  const { target, state, out } = mirror;
  const { catalogue } = state;
  const steps = planOf(catalogue, { keep });
  await announce(state, steps);
  const written = await fetchAll(mirror, cursor, steps);
  for (const { address, shelf, remove } of steps) {
    for (const place of remove) {
      await removeDocument(target, folderOf(address, place));
      shelf.files.delete(place);
    }
    const counts = [[written.get(address) ?? 0, 'written'] as const, [remove.length, 'removed'] as const];
    const done = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
    if (done.length > 0) out(`${address === CALENDARS ? 'calendars' : address}: ${done.join(', ')}`);
    await state.writeShelf(address);
  }
  catalogue.stale.clear();
}

const isLeft = ({ shelf }: Step) => shelf.competition === null;

/** A competition that moved leaves one address before it is at another: in no state is it at both. */
async function announce({ writeShelf }: StateFiles, steps: Step[]): Promise<void> {
  for (const step of steps.toSorted((one, other) => Number(isLeft(other)) - Number(isLeft(one)))) {
    const { address, shelf, fetch } = step;
    const unknown = fetch.filter((place) => !shelf.files.has(place));
    for (const place of unknown) shelf.files.set(place, { hash: '', etag: '' });
    if (unknown.length > 0 || isLeft(step)) await writeShelf(address);
  }
}

/** @returns how many files are other than before, by address */
async function fetchAll(mirror: Mirror, cursor: string, steps: Step[]): Promise<Map<string, number>> {
  const { base, target, state } = mirror;
  const { catalogue } = state;
  const inTurn = createSemaphore(AT_ONCE);
  const written = new Map<string, number>();
  let failed = false;
  const fetchOne = async ({ address, shelf }: Step, place: string) => {
    if (failed) return;
    const known = shelf.files.get(place);
    const asked = { folder: folderOf(address, place), known, doubted: state.reading.anew };
    catalogue.refused.delete(asked.folder);
    const kept = await bringUpToDate({ base, cursor }, target, asked).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      catalogue.refused.set(asked.folder, error.message);
      // Asked for again whenever something happens there.
      return { hash: known?.hash ?? '', etag: '' };
    });
    if (kept === null) shelf.files.delete(place);
    else shelf.files.set(place, kept);
    if (kept !== null && kept.hash !== (known?.hash ?? ''))
      written.set(address, (written.get(address) ?? 0) + 1);
  };
  const fetching = steps.flatMap((step) =>
    step.fetch.map((place) =>
      inTurn(() => fetchOne(step, place)).catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    ),
  );
  // All have ended before anything is tried again.
  const ends = await Promise.allSettled(fetching);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return written;
}

function tellRefused({ state, out, said }: Mirror): void {
  for (const [object, reason] of state.catalogue.refused) {
    if (said.has(object)) continue;
    said.add(object);
    out(`${printable(JSON.stringify(object))}: refused, ${reason}`);
  }
}
