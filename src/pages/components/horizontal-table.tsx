// The table of a throw or horizontal jump: a column for each round of attempts, the wind below each mark.
import { noteOf, qualificationOf } from '../unit/codes.ts';
import type { Contest } from '../unit/live-unit.ts';
import { type Attempt, horizontalSeries, roundsOf } from '../unit/series.ts';
import { numberOf, type Result, textOf, type Unit } from '../unit/unit.ts';
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

type Props = { unit: Unit; results: Result[]; contest: Contest; view: View };

export function HorizontalTable({ unit, results, contest, view }: Props) {
  const { words } = view;
  const series = horizontalSeries(unit);
  const hasAttempts = series.size > 0;
  const rounds = hasAttempts
    ? Array.from({ length: roundsOf(unit, contest.maxAttempts) }, (_, index) => index + 1)
    : [];
  const cut = numberOf(unit['cut_after_round'] ?? contest.cutAfterRound);
  const after = (round: number) => (round === cut ? 'cut' : undefined);
  const has = {
    team: anyHas(results, (result) => (result.athlete_name ? textOf(result.team_name) : '')),
    wind: !hasAttempts && anyHas(results, windOf),
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
          {rounds.map((round) => (
            <th scope="col" data-cell="attempt" data-round={round} class={after(round)} key={round}>
              <abbr title={words.attempt(round)}>{round}</abbr>
            </th>
          ))}
          <HeadCell cell="performance" label={hasAttempts ? words.best : words.performance} />
          {has.wind && <HeadCell cell="wind" label={words.wind} />}
          {has.qualification && <HeadCell cell="qualification" label={words.qualification} short="Q" />}
          {has.points && <HeadCell cell="points" label={words.points} />}
          {has.note && <HeadCell cell="note" label={words.note} />}
        </tr>
      </thead>
      <tbody>
        {results.map((result) => {
          const own = series.get(result.bib) ?? [];
          return (
            <Row key={result.bib} bib={result.bib} view={view}>
              <PlaceCell result={result} />
              <BibCell result={result} />
              <NameCell result={result} view={view} />
              {has.team && <TeamCell result={result} />}
              {rounds.map((round) => (
                <AttemptCell
                  key={round}
                  round={round}
                  attempt={own.find((attempt) => attempt.round === round)}
                  cut={after(round)}
                  view={view}
                />
              ))}
              <PerformanceCell result={result} view={view} />
              {has.wind && <td data-cell="wind">{windOf(result)}</td>}
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

const windOf = (result: Result) => textOf(result.wind);

type AttemptProps = { round: number; attempt: Attempt | undefined; cut: string | undefined; view: View };

function AttemptCell({ round, attempt, cut, view }: AttemptProps) {
  return (
    <td data-cell="attempt" data-round={round} data-best={attempt?.best ? '' : undefined} class={cut}>
      {attempt && <Marks text={attempt.text} words={view.words} />}
      {attempt?.wind && <span class="wind">{attempt.wind}</span>}
    </td>
  );
}
