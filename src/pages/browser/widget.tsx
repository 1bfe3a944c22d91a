// The custom elements for pages of other sites: a unit, a competition. Version 1: things are added to it, never changed.
import { render } from 'preact';
import { STYLE } from 'widget-style';
import type { Overview } from '../../site/documents/overview-shape.ts';
import { OverviewView } from '../components/overview-view.tsx';
import type { WidgetWords } from '../locales/unit-words.ts';
import { type Freshness, keepFresh } from './freshness.ts';
import { createLiveBar, type LiveBar } from './live-bar.ts';
import { startUnit } from './live-units.tsx';
import { followOverview } from './followed-overview.ts';
import { SPOKEN, spoken } from './spoken.ts';
import { keepParts } from './widget-parts.ts';

type Place = { origin: string; path: string; competition: string; words: WidgetWords; language: string };
type Drawn = { place: HTMLElement; bar: LiveBar; freshness: Freshness; done: () => void; gone: () => void };

/** `…/x/2026/GBR/harbour-town-open/event/T1/1/1/`, whatever language stands in front. */
const PATH = /^\/(?:([^/]+)\/)?x\/\d{4}\/[^/]+\/[^/]+\//;

abstract class AthleticsElement extends HTMLElement {
  static observedAttributes = ['src', 'lang', 'theme'];
  #freshness: Freshness | undefined;
  #turn = 0;

  connectedCallback(): void {
    this.#start();
  }

  disconnectedCallback(): void {
    this.#stop();
  }

  attributeChangedCallback(name: string): void {
    if (this.isConnected && name !== 'theme') this.#start();
  }

  /** Draws what it shows, now and whenever it changes. */
  protected abstract draw(place: Place, overview: Overview, drawn: Drawn): void;
  protected abstract overviewOf(place: Place): string;

  #stop() {
    this.#turn++;
    this.#freshness?.stop();
    this.#freshness = undefined;
  }

  #start() {
    this.#stop();
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    // The link that the page wrote inside is there until there is more to see.
    if (!root.querySelector('slot')) root.append(document.createElement('slot'));
    const place = this.#place();
    if (place) void this.#load(root, place, this.#turn);
  }

  #place(): Place | undefined {
    let url: URL;
    try {
      url = new URL(this.getAttribute('src') ?? '', document.baseURI);
    } catch {
      return undefined;
    }
    const found = PATH.exec(url.pathname);
    if (!found || !/^https?:$/.test(url.protocol)) return undefined;
    const around = this.closest('[lang]')?.getAttribute('lang') ?? '';
    const language = [this.lang, found[1] ?? '', around].map(spoken).find((tag) => tag !== undefined) ?? 'en';
    const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
    return { origin: url.origin, path, competition: found[0], words: SPOKEN[language], language };
  }

  async #load(root: ShadowRoot, place: Place, turn: number): Promise<void> {
    const { origin, words, language } = place;
    let overview: Overview;
    try {
      const answer = await fetch(origin + this.overviewOf(place));
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      overview = (await answer.json()) as Overview;
    } catch {
      window.setTimeout(() => {
        if (turn === this.#turn) void this.#load(root, place, turn);
      }, RETRY_MS);
      return;
    }
    if (turn !== this.#turn) return;
    const frame = document.createElement('div');
    frame.className = 'athletics';
    frame.lang = language;
    const content = document.createElement('div');
    frame.append(content, barWith(words));
    keepParts(content);
    const bar = createLiveBar(frame, words, language);
    const { push_notifications: push, finish_date: finish } = overview;
    const freshness = keepFresh({ push, finish }, { bar, origin });
    this.#freshness = freshness;
    const show = () => {
      if (turn !== this.#turn || frame.isConnected) return;
      dress(root, origin);
      root.querySelector('.athletics')?.remove();
      root.querySelector('slot')!.hidden = true;
      root.append(frame);
    };
    const gone = () => {
      frame.remove();
      root.querySelector('slot')!.hidden = false;
      this.#stop();
    };
    this.draw(place, overview, { place: content, bar, freshness, done: show, gone });
  }
}

const RETRY_MS = 15_000;

function barWith(words: WidgetWords): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'live-bar';
  bar.dataset['live'] = 'off';
  render(
    <>
      <span class="dot" aria-hidden="true" />
      <span data-live-text />
      <button type="button" data-action="pause" aria-pressed="false" hidden>
        {words.pause}
      </button>
    </>,
    bar,
  );
  return bar;
}

let sheet: CSSStyleSheet | undefined;

/** Style that a strict policy of the page allows: a sheet that is made, else one that is linked. */
function dress(root: ShadowRoot, origin: string): void {
  if (!('adoptedStyleSheets' in root) || typeof CSSStyleSheet.prototype.replaceSync !== 'function') {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = `${origin}/embed/v1.css`;
    root.prepend(link);
    return;
  }
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  root.adoptedStyleSheets = [sheet];
}

class AthleticsUnit extends AthleticsElement {
  protected overviewOf({ path }: Place): string {
    return path.replace(/[^/]+\/[^/]+\/$/, 'overview/json/?case=snake');
  }

  protected draw(place: Place, overview: Overview, { place: content, bar, freshness, done, gone }: Drawn) {
    const { origin, path, competition, words, language } = place;
    const [round, heat] = path.split('/').slice(-3).map(Number);
    const event = overview.events[0];
    const unit = event?.units.find(({ round_no, heat_no }) => round_no === round && heat_no === heat);
    if (!event || !unit) return gone();
    const live = {
      url: `${origin}${path}json/?case=snake`,
      channel: unit.channel,
      base: origin + competition,
      contest: { maxAttempts: event.max_field_attempts, cutAfterRound: event.cut_after_round },
      isParent: event.is_parent,
      order: 'place',
      withEvent: true,
    } as const;
    startUnit(content, live, { words, language, freshness, bar, drawn: () => {}, gone });
    freshness.refreshAll();
    whenFilled(content, done);
  }
}

class AthleticsCompetition extends AthleticsElement {
  protected overviewOf({ competition }: Place): string {
    return `${competition}overview/json/?case=snake`;
  }

  protected draw(place: Place, overview: Overview, { place: content, bar, freshness, done, gone }: Drawn) {
    const { origin, competition, words } = place;
    const base = origin + competition;
    const show = (now: Overview) =>
      render(<OverviewView overview={now} words={words} base={base} />, content);
    let newest = overview;
    show(overview);
    done();
    const { overview: channel } = overview.channels;
    const url = origin + this.overviewOf(place);
    const take = (now: Overview) => {
      newest = now;
      if (!bar.paused()) show(now);
    };
    followOverview({ url, channel }, { freshness, fresh: bar.fresh, take, gone });
    bar.onResume(() => show(newest));
  }
}

/** Calls back when something stands there. */
function whenFilled(place: HTMLElement, done: () => void): void {
  const observer = new MutationObserver(() => {
    if (!place.firstElementChild) return;
    observer.disconnect();
    done();
  });
  observer.observe(place, { childList: true });
}

// Loaded twice, as by two articles on one page, it is there once.
if (!customElements.get('athletics-unit')) {
  customElements.define('athletics-unit', AthleticsUnit);
  customElements.define('athletics-competition', AthleticsCompetition);
}
