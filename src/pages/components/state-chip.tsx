// The state of a unit: a word, a shape and a colour.
import type { UnitWords } from '../locales/unit-words.ts';
import type { UnitState } from '../unit/state.ts';

const SHAPES: Record<UnitState, string> = {
  before: '○',
  seeded: '◔',
  live: '●',
  provisional: '◐',
  official: '✓',
  cancelled: '✕',
  postponed: '↷',
  interrupted: '❚❚',
};

export const StateChip = ({ state, words }: { state: UnitState; words: UnitWords }) => (
  <span class={`chip ${state}`}>
    <span aria-hidden="true" class="shape">
      {SHAPES[state]}
    </span>
    {words[state]}
  </span>
);
