// The table of a race on the track or road, of a relay, of a team race and of the standings of a combined event.
import { noteOf, qualificationOf } from '../unit/codes.ts';
import { textOf, type Result } from '../unit/unit.ts';
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

type Props = { results: Result[]; view: View };

export const laneOf = (result: Result) => textOf(result['lane']);
const pointsOf = (result: Result) => (textOf(result.points) === '0' ? '' : textOf(result.points));
const without = (other: string, text: string) => (text === other ? '' : text);
const reactionOf = (result: Result) => textOf(result['reaction_time']);
const splitsOf = (result: Result) => {
  const splits = result['splits'];
  if (!Array.isArray(splits)) return '';
  return splits.map((split) => shownSplit(split as Record<string, unknown>)).join(' · ');
};

function shownSplit(split: Record<string, unknown>): string {
  const [distance, time] = [textOf(split['distance']), textOf(split['elapsed_time'] ?? split['elapsedTime'])];
  // On one line, wherever the splits are broken into lines.
  return distance && time ? `${distance}\u00a0m\u00a0${time}` : time;
}

export function RaceTable({ results, view }: Props) {
  const { words } = view;
  const has = {
    lane: anyHas(results, laneOf),
    team: anyHas(results, (result) => (result.athlete_name ? textOf(result.team_name) : '')),
    performance: anyHas(results, (result) => textOf(result.performance)),
    reaction: anyHas(results, reactionOf),
    qualification: anyHas(results, qualificationOf),
    // The result of a combined event is its points.
    points: anyHas(results, (result) => without(textOf(result.performance), pointsOf(result))),
    note: anyHas(results, noteOf),
  };
  return (
    <>
      <thead>
        <tr>
          <HeadCell cell="place" label={words.place} short={words.placeShort} />
          {has.lane && <HeadCell cell="lane" label={words.lane} />}
          <HeadCell cell="bib" label={words.bib} short="#" />
          <HeadCell cell="name" label={words.name} />
          {has.team && <HeadCell cell="team" label={words.team} />}
          {has.performance && <HeadCell cell="performance" label={words.performance} />}
          {has.qualification && <HeadCell cell="qualification" label={words.qualification} short="Q" />}
          {has.points && <HeadCell cell="points" label={words.points} />}
          {has.reaction && <HeadCell cell="reaction" label={words.reaction} />}
          {has.note && <HeadCell cell="note" label={words.note} />}
        </tr>
      </thead>
      <tbody>
        {results.map((result) => (
          <Row key={result.bib} bib={result.bib} view={view}>
            <PlaceCell result={result} />
            {has.lane && (
              <td data-cell="lane" data-label={words.lane}>
                {laneOf(result)}
              </td>
            )}
            <BibCell result={result} />
            <NameCell result={result} view={view}>
              {splitsOf(result) && <span class="splits">{splitsOf(result)}</span>}
            </NameCell>
            {has.team && <TeamCell result={result} />}
            {has.performance && <PerformanceCell result={result} view={view} />}
            {has.qualification && <QualificationCell result={result} view={view} />}
            {has.points && (
              <td data-cell="points" data-label={words.points}>
                {pointsOf(result)}
              </td>
            )}
            {has.reaction && (
              <td data-cell="reaction" data-label={words.reaction}>
                {reactionOf(result)}
              </td>
            )}
            {has.note && <td data-cell="note">{noteOf(result)}</td>}
          </Row>
        ))}
      </tbody>
    </>
  );
}
