// The state of a unit, or of a whole event or competition: a word, a shape and a colour.
import type { Words } from '../locales/en.ts';
import type { OverallState } from '../unit/competition-state.ts';

const SHAPES: Record<OverallState, string> = {
  before: '○',
  seeded: '◔',
  live: '●',
  provisional: '◐',
  official: '✓',
  cancelled: '✕',
  postponed: '↷',
  interrupted: '❚❚',
  underWay: '◑',
};

export const StateChip = ({ state, words }: { state: OverallState; words: Words }) => (
  <span class={`chip ${state}`}>
    <span aria-hidden="true" class="shape">
      {SHAPES[state]}
    </span>
    {words[state]}
  </span>
);
