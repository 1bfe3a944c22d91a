// Lists of who advances from each round of an event, over all its heats.
import type { Words } from '../locales/en.ts';
import { qualificationOf } from '../unit/codes.ts';
import type { Qualifier } from '../unit/qualified.ts';
import { nameOf, textOf } from '../unit/unit.ts';
import { Performance } from './marks.tsx';

type Props = {
  rounds: { round: number; qualifiers: Qualifier[] }[];
  nameOf: (round: number) => string;
  words: Words;
};

export const Qualified = ({ rounds, nameOf: nameOfRound, words }: Props) => (
  <div data-region="qualified">
    {rounds.map(({ round, qualifiers }) => (
      <section key={round} class="block qualified" data-round={round}>
        <h2>
          {words.qualifiers} · {nameOfRound(round)}
        </h2>
        <ul>
          {qualifiers.map(({ heat, result }) => (
            <li key={`${heat}/${result.bib}`} data-qualified={result.bib}>
              <strong>
                <Performance text={qualificationOf(result)} words={words} />
              </strong>{' '}
              {nameOf(result)} <span class="quiet">{textOf(result.performance)}</span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);
