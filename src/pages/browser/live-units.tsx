// The units of a page, drawn again in place at each save.
import { render } from 'preact';
import { shownMoment } from '../locales/moments.ts';
import type { UnitWords } from '../locales/unit-words.ts';
import { competitorHref, type LiveUnit } from '../unit/live-unit.ts';
import { changedBibs } from '../unit/changes.ts';
import type { Unit } from '../unit/unit.ts';
import { UnitView } from '../components/unit-view.tsx';
import { followUnit } from './followed-unit.ts';
import type { Freshness } from './freshness.ts';
import type { LiveBar } from './live-bar.ts';

const FLASH_MS = 3000;

export type Surroundings = {
  words: UnitWords;
  language: string;
  freshness: Freshness;
  bar: LiveBar;
  /** Told of each save that is drawn, with the rows that it changed. */
  drawn: (unit: Unit, changed: ReadonlySet<string>) => void;
  /** Told when there is no such unit any more. */
  gone: () => void;
  /** Loads what draws a unit for the announcer; absent where nobody asks for that. */
  announcerView?: () => Promise<typeof UnitView>;
};

export function startUnits(root: ParentNode, surroundings: Surroundings): void {
  for (const place of root.querySelectorAll<HTMLElement>('[data-live-unit]'))
    startUnit(place, JSON.parse(place.dataset['liveUnit']!) as LiveUnit, surroundings);
}

/** Draws a unit into its place, again at each save. */
export function startUnit(place: HTMLElement, live: LiveUnit, surroundings: Surroundings): void {
  const { words, language, freshness, bar, drawn, gone, announcerView } = surroundings;
  const momentOf = (moment: string) => shownMoment(language, moment);
  const { url: _url, channel: _channel, base, announcer, ...options } = live;
  let Drawn = UnitView;
  const hrefOf = base === undefined ? undefined : competitorHref(base);
  let newest: Unit | undefined;
  let shown: Unit | undefined;
  let flash: number | undefined;
  let seen = Number(place.querySelector<HTMLElement>('[data-revision]')?.dataset['revision'] ?? 0);

  function draw(unit: Unit, changed: ReadonlySet<string>) {
    const { activeElement: focused } = place.getRootNode() as Document | ShadowRoot;
    const view = { words, momentOf, changed, ...(hrefOf && { hrefOf }) };
    render(<Drawn unit={unit} view={view} {...options} />, place);
    // Rows that change places take the focus from what is in them.
    if (focused instanceof HTMLElement && place.contains(focused)) focused.focus({ preventScroll: true });
  }

  function take(unit: Unit) {
    if (unit.revision < seen || unit.revision === newest?.revision) return;
    seen = unit.revision;
    newest = unit;
    if (!bar.paused()) show(unit);
  }

  function show(unit: Unit) {
    const changed = shown && unit.revision > shown.revision ? changedBibs(shown, unit) : new Set<string>();
    shown = unit;
    draw(unit, changed);
    if (changed.size === 0) return;
    drawn(unit, changed);
    window.clearTimeout(flash);
    flash = window.setTimeout(() => draw(unit, new Set()), FLASH_MS);
  }

  const follow = () => followUnit(live, { freshness, fresh: bar.fresh, take, gone });
  async function followAsAnnouncer(load: () => Promise<typeof UnitView>) {
    Drawn = await load();
    follow();
  }
  if (announcer && announcerView) void followAsAnnouncer(announcerView);
  else follow();
  bar.onResume(() => newest && newest !== shown && show(newest));
}
