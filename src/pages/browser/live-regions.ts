// Parts of a page that follow from much of the competition: asked for again as HTML, and replaced where they differ.
import type { Freshness } from './freshness.ts';
import { readPage } from './latest-json.ts';
import type { LiveBar } from './live-bar.ts';

// A burst of results is one reason to ask, not many.
const GATHER_MS = 500;

/**
 * @param live `data-regions` is the push channel on which to ask again; absent on pages without regions
 * @param refreshed told whenever they were asked for again
 */
export function startRegions(
  live: HTMLElement,
  { freshness, bar, refreshed }: { freshness: Freshness; bar: LiveBar; refreshed: () => void },
): void {
  const channel = live.dataset['regions'];
  if (channel === undefined) return;
  let gathering: number | undefined;

  async function refresh() {
    if (bar.paused()) return;
    replaceRegions(await readPage(location.href));
    refreshed();
  }

  const soon = () => {
    gathering ??= window.setTimeout(() => {
      gathering = undefined;
      refresh().then(bar.fresh, () => {});
    }, GATHER_MS);
  };
  freshness.keep(refresh);
  if (channel !== '') freshness.push?.hear(channel, { subscribed: soon, event: soon });
}

function replaceRegions(fresh: Document): void {
  for (const region of document.querySelectorAll<HTMLElement>('[data-region]')) {
    const other = fresh.querySelector<HTMLElement>(`[data-region="${region.dataset['region']}"]`);
    // What has the focus is not taken away from under it: the next change brings it.
    if (!other || other.innerHTML === region.innerHTML || region.contains(document.activeElement)) continue;
    region.replaceChildren(...other.childNodes);
  }
}
