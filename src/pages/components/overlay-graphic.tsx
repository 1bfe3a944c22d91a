// A graphic over a television picture: a lower third, or a table of a few rows. Drawn on the server first, then in the browser.
import type { UnitWords } from '../locales/unit-words.ts';
import { type Moment } from '../unit/moment.ts';
import { inOrder, shownPlace } from '../unit/order.ts';
import { unitState } from '../unit/state.ts';
import { nameOf, textOf, type Result, type Unit, unitName } from '../unit/unit.ts';
import { Marks, Performance } from './marks.tsx';

export const SHOWS = ['lower-third', 'table', 'startlist', 'results'] as const;
export type Show = (typeof SHOWS)[number];
export const HOLD = { least: 1, most: 3600, usual: 10 };
export const ROWS = { least: 1, most: 20, usual: 8 };

type Props = {
  show: Show;
  unit: Unit | undefined;
  /** What the lower third tells of; undefined while it tells nothing. */
  moment: Moment | undefined;
  rows: number;
  page: number;
  words: UnitWords;
};

export function OverlayGraphic(props: Props) {
  const { show, unit, moment } = props;
  if (!unit) return null;
  if (show === 'lower-third') return moment ? <LowerThird {...props} unit={unit} moment={moment} /> : null;
  return <Table {...props} unit={unit} />;
}

const headingOf = (unit: Unit) => [unit.event_name, unit.heat_name].filter(Boolean).join(' · ');

type LowerThirdProps = { unit: Unit; moment: Moment; words: UnitWords };

function LowerThird({ unit, moment, words }: LowerThirdProps) {
  const { name, team, mark, round, height, wind, place, best } = moment;
  const what = height ?? (round === undefined ? words[unitState(unit)] : words.attempt(round));
  return (
    <div class="lower-third" data-unit={unitName(unit)} data-revision={unit.revision} data-bib={moment.bib}>
      <p class="heading">{headingOf(unit)}</p>
      <div class="bar">
        {place && <span class="place">{place}</span>}
        <span class="who">
          <span data-cell="name">{name}</span>
          {team && <span data-cell="team">{team}</span>}
        </span>
        <span class="what">
          <span class="label">
            {what}
            {wind && ` · ${words.wind} ${wind}`}
          </span>
          <span data-cell="performance">
            <Marks text={mark} words={words} />
          </span>
        </span>
        {best && best !== mark && (
          <span class="best">
            <span class="label">{words.best}</span>
            <span data-cell="best">{best}</span>
          </span>
        )}
      </div>
    </div>
  );
}

/** The rows that a table has to show, in its order. */
export function rowsOf(unit: Unit, show: Show): Result[] {
  const starts = show === 'startlist' || (show === 'table' && unitState(unit) === 'seeded');
  const all = inOrder(unit.results ?? [], starts ? 'start' : 'place');
  return show === 'results' ? all.filter((result) => textOf(result.performance) !== '') : all;
}

type TableProps = Omit<Props, 'unit' | 'moment'> & { unit: Unit };

function Table({ show, unit, rows, page, words }: TableProps) {
  const all = rowsOf(unit, show);
  const first = (page % Math.max(1, Math.ceil(all.length / rows))) * rows;
  const state = unitState(unit);
  const starts = show === 'startlist';
  return (
    <div class="table" data-unit={unitName(unit)} data-revision={unit.revision} data-state={state}>
      <table>
        <caption>
          <span class="heading">{headingOf(unit)}</span>{' '}
          <span class="state">{starts ? words.seeded : words[state]}</span>
        </caption>
        <tbody>
          {all.slice(first, first + rows).map((result) => (
            <tr key={result.bib} data-bib={result.bib}>
              {starts ? (
                <td data-cell="lane">{textOf(result['lane']) || textOf(result['order'])}</td>
              ) : (
                <td data-cell="place">{shownPlace(result)}</td>
              )}
              <td data-cell="bib">{result.bib}</td>
              <th scope="row" data-cell="name">
                {nameOf(result)}
              </th>
              <td data-cell="team">{result.athlete_name ? textOf(result.team_name) : ''}</td>
              {!starts && (
                <td data-cell="performance">
                  <Performance text={textOf(result.performance)} words={words} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
