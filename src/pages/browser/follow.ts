// The button that follows an athlete on this device.
import type { PageWords } from '../locales/unit-words.ts';
import { keepFollowed, readFollowed } from './followed.ts';

export function startFollowing(button: HTMLButtonElement, words: PageWords): void {
  const path = button.dataset['follow']!;
  const name = button.dataset['name']!;
  const show = () => {
    const follows = readFollowed().some((one) => one.path === path);
    button.setAttribute('aria-pressed', String(follows));
    button.textContent = follows ? words.followed : words.follow;
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const follows = button.getAttribute('aria-pressed') === 'true';
    const others = readFollowed().filter((one) => one.path !== path);
    keepFollowed(follows ? others : [{ path, name }, ...others]);
    show();
  });
  show();
}
