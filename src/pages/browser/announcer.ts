// Announcements for who does not look at the table: a sentence when a result changes, at most one in ten seconds.
import type { PageWords } from '../locales/unit-words.ts';
import { shownPlace } from '../unit/order.ts';
import { nameOf, textOf, type Unit } from '../unit/unit.ts';
import { remembered } from './remembered.ts';

const PAUSE_MS = 10_000;

export type Announcer = { announce: (unit: Unit, changed: ReadonlySet<string>) => void };

export function createAnnouncer(words: PageWords): Announcer {
  const voice = document.querySelector<HTMLElement>('[role=status]');
  const button = document.querySelector<HTMLButtonElement>('[data-action=announce]');
  const wish = remembered('announce');
  let next = 0;

  function show() {
    button?.setAttribute('aria-pressed', String(wish.get() !== 'off'));
  }
  // Only of units there is something to announce.
  if (button) button.hidden = !document.querySelector('[data-live-unit]');
  button?.addEventListener('click', () => {
    wish.set(wish.get() === 'off' ? 'on' : 'off');
    show();
  });
  show();

  return {
    announce(unit: Unit, changed: ReadonlySet<string>) {
      if (!voice || wish.get() === 'off' || Date.now() < next) return;
      const result = unit.results?.find(({ bib }) => changed.has(bib));
      if (!result) return;
      next = Date.now() + PAUSE_MS;
      const place = shownPlace(result);
      const mark = textOf(result.performance);
      voice.textContent = [nameOf(result), mark, place && `${words.place} ${place}`]
        .filter(Boolean)
        .join(', ');
    },
  };
}
