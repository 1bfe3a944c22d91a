// The athletes that a reader follows, kept on the device: no account, nothing is sent.
import { remembered } from './remembered.ts';

/** The page of an athlete without the language, and their name. */
export type Followed = { path: string; name: string };

// What a device keeps for good has to end somewhere.
const MOST = 200;

const kept = remembered('followed');

export const readFollowed = (): Followed[] => followedIn(kept.get());

export const keepFollowed = (list: Followed[]): void => kept.set(JSON.stringify(list.slice(0, MOST)));

/** Storage belongs to the reader, who may have put anything there. */
function followedIn(text: string | null): Followed[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.flatMap(followedOf) : [];
  } catch {
    return [];
  }
}

const PATH = /\/x\/\d{4}\/[^/]+\/[^/]+\/competitor\/[^/]+\/$/;

function followedOf(value: unknown): Followed[] {
  if (typeof value !== 'object' || value === null) return [];
  // Earlier releases kept the address, with the language in front.
  const { path, href, name } = value as Record<string, unknown>;
  const [found] = PATH.exec(String(path ?? href)) ?? [];
  return found !== undefined && typeof name === 'string' ? [{ path: found, name }] : [];
}
