// The button that follows an athlete on this device.
import { keepFollowed, readFollowed } from './followed.ts';

/** @param button says what it does; `data-pressed` is what it says once that is done */
export function startFollowing(button: HTMLButtonElement): void {
  const path = button.dataset['follow']!;
  const name = button.dataset['name']!;
  const [toFollow, followed] = [button.textContent, button.dataset['pressed']!];
  const show = () => {
    const follows = readFollowed().some((one) => one.path === path);
    button.setAttribute('aria-pressed', String(follows));
    button.textContent = follows ? followed : toFollow;
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
