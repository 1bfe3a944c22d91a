// The script of a page. It adds what needs a browser: currency, theme, announcements.
import type { PageWords } from '../locales/unit-words.ts';
import { createAnnouncer } from './announcer.ts';
import { startFramed } from './framed.ts';
import { keepFresh } from './freshness.ts';
import { createLiveBar } from './live-bar.ts';
import { startRegions } from './live-regions.ts';
import { startTheme } from './theme.ts';

export async function startPage(words: PageWords): Promise<void> {
  startTheme();
  startFramed();
  const follow = document.querySelector<HTMLButtonElement>('[data-action=follow]');
  // Loaded where there is somebody to follow.
  if (follow) void import('./follow.ts').then(({ startFollowing }) => startFollowing(follow));
  const followed = document.querySelector<HTMLElement>('[data-followed]');
  const block =
    followed && import('./followed-block.ts').then(({ startFollowedBlock }) => startFollowedBlock(followed));
  const live = document.querySelector<HTMLElement>('[data-push]');
  if (!live) return;
  // Most of a page's script: loaded where there are units to draw again, and before anything is heard of them.
  const units = document.querySelector('[data-live-unit]') ? await import('./live-units.tsx') : undefined;
  const language = document.documentElement.lang;
  const bar = createLiveBar(document, words, language);
  const freshness = keepFresh(
    { push: live.dataset['push'] === 'on', finish: live.dataset['finish']! },
    { bar, origin: location.origin },
  );
  const announcer = createAnnouncer(words);
  units?.startUnits(document, {
    words,
    language,
    freshness,
    bar,
    drawn: announcer.announce,
    // Gone for good, or to another address: the page itself says which.
    gone: () => location.reload(),
    announcerView: async () => {
      const { AnnouncerView } = await import('../components/announcer-view.tsx');
      return (props) => AnnouncerView({ ...props, words });
    },
  });
  startRegions(live, { freshness, bar, refreshed: () => void block?.then(({ changed }) => changed()) });
}
