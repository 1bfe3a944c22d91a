// The parts of a competitor's page: where they start next, what they have done, what they have entered.
import type { Words } from '../locales/en.ts';
import { noteOf, qualificationOf } from '../unit/codes.ts';
import { shownPlace } from '../unit/order.ts';
import type { Start } from '../unit/starts.ts';
import { signedWind, textOf, type Unit, unitName } from '../unit/unit.ts';
import { Performance } from './marks.tsx';
import { StateChip } from './state-chip.tsx';

type HrefOfUnit = (unit: Unit) => string;

type NextProps = { start: Start | undefined; hrefOf: HrefOfUnit; words: Words };

export const NextStart = ({ start, hrefOf, words }: NextProps) => (
  <div data-region="next-start">
    {start && (
      <section class="block next-start" aria-label={words.nextStart}>
        <h2>{words.nextStart}</h2>
        <p>
          {textOf(start.unit.scheduled_start_time) !== '' && (
            <span class="time">{textOf(start.unit.scheduled_start_time)}</span>
          )}{' '}
          <a href={hrefOf(start.unit)}>
            {start.unit.event_name} · {start.unit.heat_name}
          </a>{' '}
          <StateChip state={start.state} words={words} />
        </p>
      </section>
    )}
  </div>
);

type ResultsProps = { starts: Start[]; hrefOf: HrefOfUnit; words: Words };

export const Results = ({ starts, hrefOf, words }: ResultsProps) => (
  <section class="block" aria-label={words.results} data-region="results">
    <h2>{words.results}</h2>
    {starts.length === 0 ? (
      <p class="quiet">{words.noResults}</p>
    ) : (
      <div class="scroll" role="region" aria-label={words.results} tabindex={0}>
        <table class="people">
          <thead>
            <tr>
              <th scope="col">{words.event}</th>
              <th scope="col" data-cell="place">
                <abbr title={words.place}>{words.placeShort}</abbr>
              </th>
              <th scope="col" data-cell="performance">
                {words.performance}
              </th>
              <th scope="col">{words.qualification}</th>
              <th scope="col">{words.note}</th>
            </tr>
          </thead>
          <tbody>
            {starts.map((start) => (
              <ResultRow key={unitName(start.unit)} start={start} hrefOf={hrefOf} words={words} />
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

function ResultRow({
  start: { unit, result, state },
  hrefOf,
  words,
}: Omit<NextProps, 'start'> & { start: Start }) {
  const wind = textOf(result.wind) || textOf(unit.wind_assistance);
  return (
    <tr data-result={unitName(unit)}>
      <th scope="row">
        <a href={hrefOf(unit)}>
          {unit.event_name} · {unit.heat_name}
        </a>{' '}
        <StateChip state={state} words={words} />
      </th>
      <td data-cell="place">{shownPlace(result)}</td>
      <td data-cell="performance">
        <Performance text={textOf(result.performance)} words={words} />
        {wind !== '' && textOf(result.performance) !== '' && (
          <span class="wind">{words.windOf(signedWind(wind))}</span>
        )}
      </td>
      <td data-cell="qualification">
        <Performance text={qualificationOf(result)} words={words} />
      </td>
      <td data-cell="note">{noteOf(result)}</td>
    </tr>
  );
}

/** An entry; `eventId` where the competition has the event. */
export type Entry = { eventId: string | undefined; name: string; season: string; personal: string };

type EntriesProps = { entries: Entry[]; hrefOf: (eventId: string) => string; words: Words };

export const Entries = ({ entries, hrefOf, words }: EntriesProps) => (
  <section class="block" aria-label={words.entries} data-region="entries">
    <h2>{words.entries}</h2>
    {entries.length === 0 && <p class="quiet">{words.noEntries}</p>}
    <ul class="entries">
      {entries.map(({ eventId, name, season, personal }, index) => (
        <li key={index}>
          {eventId === undefined ? name : <a href={hrefOf(eventId)}>{name}</a>}
          {season !== '' && (
            <span class="quiet">
              {words.seasonBest} {season}
            </span>
          )}
          {personal !== '' && (
            <span class="quiet">
              {words.personalBest} {personal}
            </span>
          )}
        </li>
      ))}
    </ul>
  </section>
);
