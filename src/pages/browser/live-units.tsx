// The units of a page, drawn again in place at each save.
import { render } from 'preact';
import type { Words } from '../locales/en.ts';
import { competitorHref, type LiveUnit } from '../unit/live-unit.ts';
import { changedBibs } from '../unit/changes.ts';
import type { Unit } from '../unit/unit.ts';
import { UnitView } from '../components/unit-view.tsx';
import type { Freshness } from './freshness.ts';
import type { LiveBar } from './live-bar.ts';

const FLASH_MS = 3000;

type Surroundings = {
  words: Words;
  freshness: Freshness;
  bar: LiveBar;
  /** Told of each save that is drawn, with the rows that it changed. */
  drawn: (unit: Unit, changed: ReadonlySet<string>) => void;
};

export function startUnits(root: ParentNode, surroundings: Surroundings): void {
  for (const place of root.querySelectorAll<HTMLElement>('[data-live-unit]')) startUnit(place, surroundings);
}

function startUnit(place: HTMLElement, { words, freshness, bar, drawn }: Surroundings): void {
  const { url, channel, base, announcer, ...options } = JSON.parse(place.dataset['liveUnit']!) as LiveUnit;
  // Loaded where it is drawn alone.
  const drawing = announcer && import('../components/announcer-view.tsx');
  let Drawn = UnitView;
  const hrefOf = base === undefined ? undefined : competitorHref(base);
  let newest: Unit | undefined;
  let shown: Unit | undefined;
  let flash: number | undefined;
  let seen = Number(place.querySelector<HTMLElement>('[data-revision]')?.dataset['revision'] ?? 0);

  function draw(unit: Unit, changed: ReadonlySet<string>) {
    const focused = document.activeElement;
    const view = { words, changed, ...(hrefOf && { hrefOf }) };
    render(<Drawn unit={unit} view={view} {...options} />, place);
    // Rows that change places take the focus from what is in them.
    if (focused instanceof HTMLElement && focused !== document.activeElement && place.contains(focused))
      focused.focus({ preventScroll: true });
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

  async function refresh() {
    const answer = await fetch(url, { cache: 'no-cache' });
    if (drawing) Drawn = (await drawing).AnnouncerView;
    if (answer.ok) take((await answer.json()) as Unit);
    // Gone for good, or to another address: the page itself says which.
    else if (answer.status === 404) location.reload();
    else throw new Error(`status ${answer.status}`);
  }

  const asked = () => {
    refresh().then(bar.fresh, () => {});
  };
  freshness.keep(refresh);
  freshness.push?.hear(channel, {
    subscribed: asked,
    event(name, data) {
      if (name !== 'unit') return;
      bar.fresh();
      const unit = data as Unit;
      // A reduced event is no unit to draw: it lacks what was too large to push.
      if (unit['too_large'] === true) asked();
      else take(unit);
    },
  });
  bar.onResume(() => newest && newest !== shown && show(newest));
}
