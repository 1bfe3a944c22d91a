// The script of a big screen: pages that turn by themselves, a clock, keys and a menu. What it shows is kept current by page.ts.
import { remembered } from './remembered.ts';
import { startPaging } from './screen-pages.ts';

const root = document.documentElement;
const main = document.querySelector<HTMLElement>('[data-page=screen]')!;
const menu = main.querySelector<HTMLElement>('.menu')!;
const keys = remembered('screen-keys');
const THEMES = ['dark', 'light', 'lowres'];

root.style.setProperty('--rows', main.dataset['rows']!);
root.style.setProperty('--scale', main.dataset['scale']!);
const paging = startPaging(main);

function turnTheme() {
  const at = THEMES.indexOf(root.dataset['theme'] ?? '');
  root.dataset['theme'] = THEMES[(at + 1) % THEMES.length]!;
  paging.measure();
}

function toggleMenu() {
  menu.hidden = !menu.hidden;
  root.classList.toggle('with-menu', !menu.hidden);
  if (!menu.hidden) menu.querySelector('button')?.focus();
}

const ACTS: Record<string, () => void> = {
  'previous-page': () => paging.turn(-1),
  'next-page': () => paging.turn(1),
  theme: turnTheme,
  close: toggleMenu,
  shortcuts() {
    keys.set(keys.get() === 'off' ? 'on' : 'off');
    showKeys();
  },
};

const KEYS: Record<string, string> = { '[': 'previous-page', ']': 'next-page', '\\': 'theme', m: 'close' };

function showKeys() {
  const button = menu.querySelector('[data-action=shortcuts]')!;
  button.setAttribute('aria-pressed', String(keys.get() !== 'off'));
}

for (const button of menu.querySelectorAll<HTMLButtonElement>('[data-action]'))
  button.addEventListener('click', () => ACTS[button.dataset['action']!]?.());

document.addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
  if (key === 'Escape' && !menu.hidden) return toggleMenu();
  if (ctrlKey || metaKey || (altKey && key.length > 1)) return;
  const act = KEYS[key.toLowerCase()];
  if (act && keys.get() !== 'off') ACTS[act]!();
});
// Where the keys are turned off, a click opens the menu that turns them on.
main.querySelector('.board-head')!.addEventListener('click', toggleMenu);
showKeys();

const clock = main.querySelector('[data-clock]');
if (clock) {
  const tick = () => {
    clock.textContent = new Date().toLocaleTimeString(root.lang, { hour12: false });
  };
  tick();
  window.setInterval(tick, 1000);
}

// Other units are live now: a screen that is loaded anew shows them, and one that cannot be loaded stays as it is.
new MutationObserver(() => {
  fetch(location.href, { cache: 'no-cache' }).then(
    (answer) => answer.ok && location.reload(),
    () => {},
  );
}).observe(main.querySelector('[data-region=units]')!, {
  childList: true,
  characterData: true,
  subtree: true,
});
