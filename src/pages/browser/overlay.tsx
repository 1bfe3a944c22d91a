// The script of a graphic over a television picture: follows a unit or a competition, and is played by OBS, CasparCG and the like.
import { render } from 'preact';
import type { Overview } from '../../site/documents/overview-shape.ts';
import { HOLD, OverlayGraphic, ROWS, rowsOf, type Show, SHOWS } from '../components/overlay-graphic.tsx';
import { oneOf, within } from '../unit/asked.ts';
import { type Moment, newestMoment } from '../unit/moment.ts';
import type { Unit } from '../unit/unit.ts';
import { followOverview } from './followed-overview.ts';
import { followUnit } from './followed-unit.ts';
import { keepFresh } from './freshness.ts';
import { createLiveBar } from './live-bar.ts';
import { SPOKEN, spoken } from './spoken.ts';

type Changes = { show?: unknown; hold?: unknown; rows?: unknown };

declare global {
  interface Window {
    /** As CasparCG calls its templates; `stop` every window has. */
    play: () => void;
    next: () => void;
    update: (data: unknown) => void;
  }
}

const root = document.documentElement;
const main = document.querySelector<HTMLElement>('[data-page=overlay]')!;
const place = document.getElementById('graphic')!;
const words = SPOKEN[spoken(root.lang) ?? 'en'];

const state = {
  show: main.dataset['show'] as Show,
  hold: Number(main.dataset['hold']),
  rows: Number(main.dataset['rows']),
  page: 0,
  playing: true,
  unit: undefined as Unit | undefined,
  moment: undefined as Moment | undefined,
};
let holding: number | undefined;
let paging: number | undefined;

root.style.setProperty('--scale', main.dataset['scale'] ?? '1');
if (main.dataset['key']) root.style.setProperty('background-color', `#${main.dataset['key']}`);

function draw() {
  place.hidden = !state.playing;
  // What the server drew stands until the unit is read.
  if (!state.unit) return;
  const { show, unit, moment, rows, page } = state;
  render(<OverlayGraphic {...{ show, unit, moment, rows, page, words }} />, place);
}

/** Tells of a moment for as long as lower thirds are held. */
function tell(moment: Moment | undefined) {
  state.moment = moment;
  window.clearTimeout(holding);
  if (moment) {
    holding = window.setTimeout(() => {
      state.moment = undefined;
      draw();
    }, state.hold * 1000);
  }
  draw();
}

const ageOf = ({ at }: Moment): number => (Date.now() - Date.parse(at)) / 1000;

function take(unit: Unit) {
  const before = state.unit;
  const same = before?.channel === unit.channel;
  if (same && before.revision >= unit.revision) return;
  state.unit = unit;
  if (!same) state.page = 0;
  const moment = newestMoment(unit);
  const isNew = same
    ? moment && moment.key !== newestMoment(before)?.key
    : moment && ageOf(moment) < state.hold;
  if (isNew) tell(moment);
  else draw();
}

/** Whether another unit has something newer to tell; what is shown stays until then. */
let seen = 0;
function takeOverview({ latest_attempts, latest_results, events }: Overview) {
  const [newest] = [...latest_attempts, ...latest_results].sort(
    (one, other) => other.revision - one.revision,
  );
  if (!newest || newest.revision <= seen) return;
  seen = newest.revision;
  const { event_id, round_no, heat_no } = newest;
  const known = events.some((event) => event.event_id === event_id);
  if (known) readUnit(`${main.dataset['base']}event/${encodeURIComponent(event_id)}/${round_no}/${heat_no}/`);
}

function readUnit(path: string) {
  fetch(`${path}json/?case=snake`, { cache: 'no-cache' })
    .then(async (answer) => {
      if (answer.ok) take((await answer.json()) as Unit);
      return answer.ok;
    })
    // The next event, or the next time that it is asked for, makes it good.
    .catch(() => {});
}

const pagesOf = (unit: Unit) => Math.max(1, Math.ceil(rowsOf(unit, state.show).length / state.rows));

function turnPage() {
  if (state.unit && state.show !== 'lower-third') state.page = (state.page + 1) % pagesOf(state.unit);
  draw();
}

/** Tables that are longer than their rows turn by themselves. */
function keepTurning() {
  window.clearInterval(paging);
  paging = window.setInterval(turnPage, state.hold * 1000);
}

window.play = () => {
  state.playing = true;
  if (state.show === 'lower-third' && state.unit) tell(newestMoment(state.unit));
  else draw();
};
window.stop = () => {
  state.playing = false;
  draw();
};
window.next = () => {
  if (state.show === 'lower-third') return tell(undefined);
  keepTurning();
  turnPage();
};
window.update = (data) => {
  const changes = changesIn(data);
  if (!changes) return;
  state.show = oneOf(changes.show, SHOWS, state.show);
  state.hold = within(changes.hold, { ...HOLD, usual: state.hold });
  state.rows = Math.trunc(within(changes.rows, { ...ROWS, usual: state.rows }));
  state.page = 0;
  keepTurning();
  draw();
};

/** What a program hands over: an object, or its text. Anything else changes nothing. */
function changesIn(data: unknown): Changes | null {
  try {
    const value: unknown = typeof data === 'string' ? JSON.parse(data) : data;
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

function gone() {
  state.unit = undefined;
  render(null, place);
}

function follow() {
  const bar = createLiveBar(document, words, root.lang);
  const { push, finish, channel, url, overview } = main.dataset;
  const competition = { push: push === 'on', finish: finish! };
  const freshness = keepFresh(competition, { bar, origin: location.origin });
  if (overview)
    followOverview(
      { url: overview, channel: channel! },
      { freshness, fresh: bar.fresh, take: takeOverview, gone },
    );
  else if (url && channel) followUnit({ url, channel }, { freshness, fresh: bar.fresh, take, gone });
  // What the server drew is drawn again from here on; of a competition that has ended, once.
  if (url) readUnit(url.replace(/json\/.*$/, ''));
}

follow();
keepTurning();
draw();
