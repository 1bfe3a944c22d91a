// The script of a page. It adds what needs a browser: currency, theme, announcements.
import type { Words } from '../locales/en.ts';
import { createAnnouncer } from './announcer.ts';
import { keepFresh } from './freshness.ts';
import { createLiveBar } from './live-bar.ts';
import { startRegions } from './live-regions.ts';
import { startUnits } from './live-units.tsx';
import { startTheme } from './theme.ts';

export function startPage(words: Words): void {
  startTheme();
  const live = document.querySelector<HTMLElement>('[data-push]');
  if (!live) return;
  const bar = createLiveBar(document, words, document.documentElement.lang);
  const freshness = keepFresh(
    { push: live.dataset['push'] === 'on', finish: live.dataset['finish']! },
    { bar, origin: location.origin },
  );
  const announcer = createAnnouncer(words);
  startUnits(document, {
    words,
    freshness,
    bar,
    drawn: announcer.announce,
    // Gone for good, or to another address: the page itself says which.
    gone: () => location.reload(),
  });
  startRegions(live, { freshness, bar });
}
