// The state of a unit, or of a whole event or competition: a word, a shape and a colour.
import type { UnitWords } from '../locales/unit-words.ts';
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

type Props = { state: OverallState; words: Pick<UnitWords, OverallState> };

export const StateChip = ({ state, words }: Props) => (
  <span class={`chip ${state}`}>
    <span aria-hidden="true" class="shape">
      {SHAPES[state]}
    </span>
    {words[state]}
  </span>
);
