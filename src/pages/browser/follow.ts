// The athletes that a reader follows, kept on the device: no account, nothing is sent.
import type { PageWords } from '../locales/unit-words.ts';
import { remembered } from './remembered.ts';

/** The page of an athlete, and their name. */
type Followed = { href: string; name: string };

// What a device keeps for good has to end somewhere.
const MOST = 200;

export function startFollowing(button: HTMLButtonElement, words: PageWords): void {
  const kept = remembered('followed');
  const href = button.dataset['follow']!;
  const name = button.dataset['name']!;
  const others = () => followed(kept.get()).filter((one) => one.href !== href);
  const show = () => {
    const follows = followed(kept.get()).some((one) => one.href === href);
    button.setAttribute('aria-pressed', String(follows));
    button.textContent = follows ? words.followed : words.follow;
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const follows = button.getAttribute('aria-pressed') === 'true';
    kept.set(JSON.stringify(follows ? others() : [{ href, name }, ...others()].slice(0, MOST)));
    show();
  });
  show();
}

/** Storage belongs to the reader, who may have put anything there. */
function followed(text: string | null): Followed[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isFollowed) : [];
  } catch {
    return [];
  }
}

const isFollowed = (value: unknown): value is Followed =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Followed).href === 'string' &&
  typeof (value as Followed).name === 'string';
