// Links to units, each with its state: beside an event, below a page that shows others of them.
import type { Words } from '../locales/en.ts';
import type { ListedUnit } from '../unit/heads.ts';
import { StateChip } from './state-chip.tsx';

type Props = { units: ListedUnit[]; hrefOf: (unit: ListedUnit) => string; words: Words };

export const UnitLinks = ({ units, hrefOf, words }: Props) => (
  <ul class="unit-links">
    {units.map((unit) => (
      <li key={`${unit.round}/${unit.heat}`}>
        <a href={hrefOf(unit)}>{unit.name}</a> {unit.time !== '' && <span class="time">{unit.time}</span>}{' '}
        <StateChip state={unit.state} words={words} />
      </li>
    ))}
  </ul>
);
