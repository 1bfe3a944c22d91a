// Cells of a unit's table, the same in every kind of unit.
import type { ComponentChildren } from 'preact';
import type { UnitWords } from '../locales/unit-words.ts';
import { qualificationOf } from '../unit/codes.ts';
import { shownPlace } from '../unit/order.ts';
import type { Turn } from '../unit/turn.ts';
import { nameOf, type Result, textOf } from '../unit/unit.ts';
import { Performance } from './marks.tsx';

/** What every table is drawn from beside its unit. */
export type View = {
  words: UnitWords;
  /** How a moment is written. */
  momentOf: (moment: string) => string;
  /** Bibs whose row has just changed. */
  changed?: ReadonlySet<string>;
  /** The page of an athlete by bib; undefined where there are none, as on a screen. */
  hrefOf?: (bib: string) => string;
  /** Who is up, and who comes next. */
  turn?: Turn;
};

export function Row({ bib, view, children }: { bib: string; view: View; children: ComponentChildren }) {
  return (
    <tr
      data-bib={bib}
      data-changed={view.changed?.has(bib) ? '' : undefined}
      data-up={view.turn?.current === bib ? '' : undefined}
      data-next={view.turn?.next === bib ? '' : undefined}
    >
      {children}
    </tr>
  );
}

type Head = { cell: string; label: string; short?: string };

export const HeadCell = ({ cell, label, short, ...data }: Head & Record<`data-${string}`, string>) => (
  <th scope="col" data-cell={cell} {...data}>
    {short ? <abbr title={label}>{short}</abbr> : label}
  </th>
);

export const PlaceCell = ({ result }: { result: Result }) => <td data-cell="place">{shownPlace(result)}</td>;

export const BibCell = ({ result }: { result: Result }) => <td data-cell="bib">{result.bib}</td>;

/** The athlete or team, heading the row; below it what a narrow screen has no column for. */
export function NameCell({
  result,
  view,
  children,
}: {
  result: Result;
  view: View;
  children?: ComponentChildren;
}) {
  const name = nameOf(result);
  const href = textOf(result.athlete_name) === '' ? undefined : view.hrefOf?.(result.bib);
  const runners = runnersOf(result);
  return (
    <th scope="row" data-cell="name">
      {href ? <a href={href}>{name}</a> : name}
      {view.turn?.current === result.bib && <TurnChip style="turn up" word={view.words.up} />}
      {view.turn?.next === result.bib && <TurnChip style="turn" word={view.words.upNext} />}
      {runners.length > 0 && (
        <span class="runners">
          {runners.map((runner, index) => [index > 0 && ', ', <bdi key={index}>{runner}</bdi>])}
        </span>
      )}
      {children}
    </th>
  );
}

// Below a long name it stands where that begins, as a word would.
const TurnChip = ({ style, word }: { style: string; word: string }) => (
  <>
    {' '}
    <span class={style}>{word}</span>
  </>
);

function runnersOf(result: Result): string[] {
  const names = result['runner_names'];
  return Array.isArray(names) ? names.map(textOf).filter(Boolean) : [];
}

export const TeamCell = ({ result }: { result: Result }) => (
  <td data-cell="team">{textOf(result.athlete_name) === '' ? '' : textOf(result.team_name)}</td>
);

export const PerformanceCell = ({ result, view }: { result: Result; view: View }) => (
  <td data-cell="performance">
    <Performance text={textOf(result.performance)} words={view.words} />
  </td>
);

export function QualificationCell({ result, view }: { result: Result; view: View }) {
  return (
    <td data-cell="qualification">
      <Performance text={qualificationOf(result)} words={view.words} />
    </td>
  );
}

/** Whether any row has something in a column: empty ones are left out. */
export const anyHas = (results: readonly Result[], read: (result: Result) => string): boolean =>
  results.some((result) => read(result) !== '');
