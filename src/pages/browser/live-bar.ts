// The bar that says what the page hears just now, with the button that pauses it.
import type { UnitWords } from '../locales/unit-words.ts';

export type Heard = 'connected' | 'reconnecting' | 'polling' | 'off';

const PATIENCE_MS = 3000;

export type LiveBar = {
  /** What arrives just now, unless the reader has paused it. */
  hears: (heard: Heard) => void;
  /** Something arrived or was confirmed. */
  fresh: () => void;
  paused: () => boolean;
  onResume: (resume: () => void) => void;
};

/** @param root holds the element with `data-live`, if there is one, and the button */
export function createLiveBar(root: ParentNode, words: UnitWords, language: string): LiveBar {
  const bar = root.querySelector<HTMLElement>('[data-live]');
  const state = bar?.querySelector<HTMLElement>('[data-live-text]');
  const button = root.querySelector<HTMLButtonElement>('[data-action=pause]');
  const resumes: (() => void)[] = [];
  // Nothing was said yet.
  let heard: Heard | undefined;
  let paused = false;
  let lastFresh = new Date();
  let lost: number | undefined;

  const textOf = () => {
    if (paused) return words.paused;
    const time = lastFresh.toLocaleTimeString(language, { hour12: false });
    return heard === 'reconnecting' ? words.reconnecting(time) : words[heard ?? 'off'];
  };

  function show() {
    if (!bar) return;
    bar.dataset['live'] = paused ? 'paused' : (heard ?? 'off');
    if (state && state.textContent !== textOf()) state.textContent = textOf();
    if (!button) return;
    button.hidden = heard === 'off';
    button.setAttribute('aria-pressed', String(paused));
    button.textContent = paused ? words.resume : words.pause;
  }

  button?.addEventListener('click', () => {
    paused = !paused;
    show();
    if (!paused) for (const resume of resumes) resume();
  });

  return {
    hears(now) {
      window.clearTimeout(lost);
      if (now === heard) return;
      // A short gap is nobody's business: it is caught up before anybody could read of it.
      if (now === 'reconnecting' && heard === 'connected') {
        lost = window.setTimeout(() => {
          heard = now;
          show();
        }, PATIENCE_MS);
        return;
      }
      heard = now;
      show();
    },
    fresh() {
      lastFresh = new Date();
    },
    paused: () => paused,
    onResume: (resume) => resumes.push(resume),
  };
}
