// The table of a high jump or pole vault: a column for each height, jump-offs apart, failures counted.
import { noteOf, qualificationOf } from '../unit/codes.ts';
import { heightKey, verticalSeries } from '../unit/series.ts';
import { type Result, textOf, type Unit } from '../unit/unit.ts';
import {
  anyHas,
  BibCell,
  HeadCell,
  NameCell,
  PerformanceCell,
  PlaceCell,
  QualificationCell,
  Row,
  TeamCell,
  type View,
} from './cells.tsx';
import { Marks } from './marks.tsx';

type Props = { unit: Unit; results: Result[]; view: View };

export function VerticalTable({ unit, results, view }: Props) {
  const { words } = view;
  const { heights, byBib } = verticalSeries(unit);
  const counted = byBib.size > 0;
  const has = {
    team: anyHas(results, (result) => (result.athlete_name ? textOf(result.team_name) : '')),
    qualification: anyHas(results, qualificationOf),
    points: anyHas(results, (result) => (result.points ? textOf(result.points) : '')),
    note: anyHas(results, noteOf),
  };
  return (
    <>
      <thead>
        <tr>
          <HeadCell cell="place" label={words.place} short={words.placeShort} />
          <HeadCell cell="bib" label={words.bib} short="#" />
          <HeadCell cell="name" label={words.name} />
          {has.team && <HeadCell cell="team" label={words.team} />}
          {heights.map((column, index) => (
            <th scope="col" key={heightKey(column)} {...columnData(column, heights[index - 1])}>
              {column.jumpOff > 0 && <span class="jump-off">{words.jumpOff(column.jumpOff)} </span>}
              {column.height}
            </th>
          ))}
          <HeadCell cell="performance" label={words.best} />
          {counted && <HeadCell cell="failures-at-best" label={words.failuresAtBest} short="×" />}
          {counted && <HeadCell cell="failures" label={words.failures} short="Σ×" />}
          {has.qualification && <HeadCell cell="qualification" label={words.qualification} short="Q" />}
          {has.points && <HeadCell cell="points" label={words.points} />}
          {has.note && <HeadCell cell="note" label={words.note} />}
        </tr>
      </thead>
      <tbody>
        {results.map((result) => {
          const own = byBib.get(result.bib);
          const marked = textOf(result.performance) !== '';
          return (
            <Row key={result.bib} bib={result.bib} view={view}>
              <PlaceCell result={result} />
              <BibCell result={result} />
              <NameCell result={result} view={view} />
              {has.team && <TeamCell result={result} />}
              {heights.map((column, index) => (
                <td
                  key={heightKey(column)}
                  {...columnData(column, heights[index - 1])}
                  data-best={isBest(column, result) ? '' : undefined}
                  data-label={column.jumpOff > 0 ? words.jumpOff(column.jumpOff) : undefined}
                >
                  <Marks text={own?.at.get(heightKey(column)) ?? ''} words={words} />
                </td>
              ))}
              <PerformanceCell result={result} view={view} />
              {counted && (
                <td data-cell="failures-at-best" data-label="×">
                  {own && marked ? own.failuresAtBest : ''}
                </td>
              )}
              {counted && (
                <td data-cell="failures" data-label="Σ×">
                  {own && marked ? own.failures : ''}
                </td>
              )}
              {has.qualification && <QualificationCell result={result} view={view} />}
              {has.points && <td data-cell="points">{result.points ? textOf(result.points) : ''}</td>}
              {has.note && <td data-cell="note">{noteOf(result)}</td>}
            </Row>
          );
        })}
      </tbody>
    </>
  );
}

type Column = { height: string; jumpOff: number };

const columnData = ({ height, jumpOff }: Column, before: Column | undefined) => ({
  'data-cell': 'attempt',
  'data-height': height,
  'data-jump-off': jumpOff > 0 ? jumpOff : undefined,
  // A rule stands where the contest ends and its jump-off begins.
  class: jumpOff > 0 && before?.jumpOff === 0 ? 'first-jump-off' : undefined,
});

const isBest = ({ height, jumpOff }: Column, { performance }: Result): boolean =>
  jumpOff === 0 && textOf(performance) === height;
