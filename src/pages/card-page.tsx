// The judges' card of a unit, to be printed: with what is known of it so far, or with its start list alone (?blank=1).
import type { ComponentChildren } from 'preact';
import { hasWind } from '../units/rules/disciplines.ts';
import { competitionPath, type PageOfCompetition, unitPath } from './definition.ts';
import type { Page } from './frame/page.ts';
import type { Words } from './locales/en.ts';
import { readShownUnit, type ShownUnit, unitOfPath } from './unit-of-overview.ts';
import { isOn } from './unit/asked.ts';
import { kindOf } from './unit/kind.ts';
import { inOrder, shownPlace } from './unit/order.ts';
import { heightKey, horizontalSeries, roundsOf, verticalSeries } from './unit/series.ts';
import { nameOf, type Result, textOf } from './unit/unit.ts';
import type { Overview } from '../site/documents/overview-shape.ts';
import type { Address } from '../addresses.ts';

export const cardPage: PageOfCompetition = {
  path: '/event/:event_id/:round_no/:heat_no/card',
  noun: 'unit',
  reading: 'snapshot',
  part(params, query) {
    const key = unitOfPath(params)!;
    const blank = isOn(query['blank']);
    return {
      key: `card ${blank} ${key.round} ${key.heat} ${key.eventId}`,
      async read(db, id, address) {
        const found = await readShownUnit(db, id, { key, address });
        if (!found) return null;
        const { overview, shown, revision } = found;
        const { event_name, heat_name } = shown.unit;
        const page: Page = {
          name: 'card',
          title: ({ words }) => `${words.card} · ${event_name} · ${heat_name} · ${overview.full_name}`,
          path: `${unitPath(address, key)}card/`,
          hidden: true,
          bare: { styles: ['card.css'], scripts: [] },
          main: ({ words }) => <Card {...{ overview, shown, blank, words, address }} />,
        };
        return { page, revision };
      },
    };
  },
};

type Props = { overview: Overview; shown: ShownUnit; blank: boolean; words: Words; address: Address };

function Card({ overview, shown, blank, words, address }: Props) {
  const { unit, live } = shown;
  const kind = kindOf(unit, live.isParent);
  const wind = blank ? '' : textOf(unit.wind_assistance);
  return (
    <section class={`card ${kind}`} data-unit={live.channel && cardName(shown)} data-revision={unit.revision}>
      <header>
        <p class="competition">
          {overview.full_name} · {overview.date}
        </p>
        <h1>
          {unit.event_name} · {unit.heat_name}
        </h1>
        <p class="facts">
          <span>{words.card}</span>
          <span>
            {words.time}: {textOf(unit.scheduled_start_time)}
          </span>
          {kind !== 'horizontal' && kind !== 'vertical' && (
            <span>
              {words.wind}: {wind || <i class="line" />}
            </span>
          )}
        </p>
      </header>
      <table>
        {kind === 'vertical' && <Vertical {...{ shown, blank, words }} />}
        {kind === 'horizontal' && <Horizontal {...{ shown, blank, words }} />}
        {kind !== 'vertical' && kind !== 'horizontal' && <Track {...{ shown, blank, words }} />}
      </table>
      <footer>
        {[words.judge, words.referee, words.time].map((label) => (
          <span key={label}>
            {label}: <i class="line" />
          </span>
        ))}
        <small>{competitionPath(address)}</small>
      </footer>
    </section>
  );
}

const cardName = ({ unit }: ShownUnit) => `${unit.event_id}-${unit.round_no}-${unit.heat_no}`;

type TableProps = { shown: ShownUnit; blank: boolean; words: Words };

// A card is written on: rows for those who come late.
const SPARE_ROWS = 2;

const startersOf = ({ unit }: ShownUnit): (Result | undefined)[] => [
  ...inOrder(unit.results ?? [], 'start'),
  ...Array.from({ length: SPARE_ROWS }, () => undefined),
];

type Column = { cell: string; label: string; data?: Record<`data-${string}`, string | number> };

type SheetProps = {
  shown: ShownUnit;
  words: Words;
  first: Column;
  columns: Column[];
  cellOf: (result: Result, column: Column, index: number) => ComponentChildren;
  startOf: (result: Result, index: number) => string;
};

/** Start, bib, name and team, then what is written on. */
function Sheet({ shown, words, first, columns, cellOf, startOf }: SheetProps) {
  const head: Column[] = [
    first,
    { cell: 'bib', label: words.bib },
    { cell: 'name', label: words.name },
    { cell: 'team', label: words.team },
    ...columns,
  ];
  return (
    <>
      <thead>
        <tr>
          {head.map(({ cell, label, data }) => (
            <th scope="col" key={cell + label} data-cell={cell} {...data}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {startersOf(shown).map((result, index) => (
          <tr key={result?.bib ?? `spare ${index}`} data-bib={result?.bib}>
            <td data-cell={first.cell}>{result && startOf(result, index)}</td>
            <td data-cell="bib">{result?.bib}</td>
            <th scope="row" data-cell="name">
              {result && nameOf(result)}
            </th>
            <td data-cell="team">{result?.athlete_name ? textOf(result.team_name) : ''}</td>
            {columns.map((column, at) => (
              <td key={column.cell + column.label} data-cell={column.cell} {...column.data}>
                {result && cellOf(result, column, at)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  );
}

const orderOf = (result: Result, index: number) => textOf(result['order']) || String(index + 1);

const summaryOf = (result: Result, { cell }: Column): string =>
  cell === 'place' ? shownPlace(result) : textOf(result.performance);

function Horizontal({ shown, blank, words }: TableProps) {
  const { unit, live } = shown;
  const series = horizontalSeries(unit);
  const withWind = hasWind(unit.event_code);
  const columns: Column[] = Array.from({ length: roundsOf(unit, live.contest.maxAttempts) }, (_, index) => ({
    cell: 'attempt',
    label: String(index + 1),
    data: { 'data-round': index + 1 },
  }));
  columns.push({ cell: 'performance', label: words.best }, { cell: 'place', label: words.place });
  return (
    <Sheet
      {...{ shown, words, columns, startOf: orderOf }}
      first={{ cell: 'order', label: words.order }}
      cellOf={(result, column, at) => {
        if (column.cell !== 'attempt') return blank ? '' : summaryOf(result, column);
        const attempt = blank ? undefined : series.get(result.bib)?.find(({ round }) => round === at + 1);
        return (
          <>
            <span class="mark">{attempt?.text}</span>
            {withWind && (
              <span class="wind">
                {words.wind} {attempt?.wind}
              </span>
            )}
          </>
        );
      }}
    />
  );
}

const EMPTY_HEIGHTS = 10;

function Vertical({ shown, blank, words }: TableProps) {
  const { heights, byBib } = verticalSeries(shown.unit);
  const known = heights.filter(({ jumpOff }) => jumpOff === 0);
  const columns: Column[] = known.map(({ height }) => ({
    cell: 'attempt',
    label: height,
    data: { 'data-height': height },
  }));
  // Heights that are not announced yet are written in.
  for (let more = known.length; more < EMPTY_HEIGHTS; more++)
    columns.push({ cell: 'attempt', label: '\u00a0'.repeat(more + 1) });
  columns.push({ cell: 'performance', label: words.best }, { cell: 'place', label: words.place });
  return (
    <Sheet
      {...{ shown, words, columns, startOf: orderOf }}
      first={{ cell: 'order', label: words.order }}
      cellOf={(result, column, at) => {
        if (blank) return '';
        if (column.cell !== 'attempt') return summaryOf(result, column);
        const height = known[at];
        return height && byBib.get(result.bib)?.at.get(heightKey(height));
      }}
    />
  );
}

function Track({ shown, blank, words }: TableProps) {
  const columns: Column[] = [
    { cell: 'performance', label: words.performance },
    { cell: 'place', label: words.place },
    { cell: 'note', label: words.note },
  ];
  return (
    <Sheet
      {...{ shown, words, columns }}
      first={{ cell: 'lane', label: words.lane }}
      startOf={(result) => textOf(result['lane'])}
      cellOf={(result, column) => (blank || column.cell === 'note' ? '' : summaryOf(result, column))}
    />
  );
}
