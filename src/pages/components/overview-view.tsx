// A competition at a glance: its latest attempts and results, and its units with their states.
import type { Overview } from '../../site/documents/overview-shape.ts';
import type { WidgetWords } from '../locales/unit-words.ts';
import { inProgramme } from '../unit/chosen.ts';
import { shownMark } from '../unit/series.ts';
import { unitState } from '../unit/state.ts';
import { Marks } from './marks.tsx';
import { StateChip } from './state-chip.tsx';

type Props = {
  overview: Overview;
  words: WidgetWords;
  /** Address of the competition's page, with whatever stands before it. */
  base: string;
};

const TICKED = 6;

const hrefOf = (base: string, unit: { event_id: string; round_no: number; heat_no: number }) =>
  `${base}event/${encodeURIComponent(unit.event_id)}/${unit.round_no}/${unit.heat_no}/`;

export const OverviewView = (props: Props) => (
  <div class="overview">
    <Ticker {...props} />
    <Programme {...props} />
  </div>
);

function Ticker({ overview, words, base }: Props) {
  const attempts = overview.latest_attempts.slice(0, TICKED);
  const results = overview.latest_results.slice(0, TICKED);
  return (
    <>
      {attempts.length > 0 && (
        <section class="ticker">
          <h2>{words.latestAttempts}</h2>
          <ul>
            {attempts.map((attempt) => (
              <li key={hrefOf('', attempt)} data-bib={attempt.bib}>
                <a href={hrefOf(base, attempt)}>{attempt.event_name}</a>{' '}
                <span data-cell="name">{attempt.athlete_name || attempt.bib}</span>{' '}
                <b data-cell="attempt">
                  {'height' in attempt ? (
                    <>
                      {attempt.height}{' '}
                      <Marks
                        text={Array.from(attempt.attempts_at_height, shownMark).join('')}
                        words={words}
                      />
                    </>
                  ) : (
                    <Marks text={shownMark(attempt.result)} words={words} />
                  )}
                </b>
              </li>
            ))}
          </ul>
        </section>
      )}
      {results.length > 0 && (
        <section class="ticker">
          <h2>{words.latestResults}</h2>
          <ul>
            {results.map((result) => (
              <li key={hrefOf('', result)}>
                <a href={hrefOf(base, result)}>
                  {result.event_name} · {result.heat_name}
                </a>{' '}
                <span data-cell="name">{result.winner_name}</span>{' '}
                <b data-cell="performance">{result.winner_performance}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Programme({ overview, words, base }: Props) {
  const lines = inProgramme(overview);
  if (lines.length === 0) return <p class="empty">{words.noStartList}</p>;
  return (
    <section class="programme">
      <h2>{words.events}</h2>
      <ul>
        {lines.map(({ event, unit }) => {
          const key = { ...unit, event_id: event.event_id };
          const state = unitState(unit);
          return (
            <li
              key={hrefOf('', key)}
              data-unit={`${event.event_id}-${unit.round_no}-${unit.heat_no}`}
              data-revision={unit.revision}
              data-state={state}
            >
              <span class="time">{unit.scheduled_start_time}</span>{' '}
              <a href={hrefOf(base, key)}>
                {event.event_name} · {unit.heat_name}
              </a>{' '}
              <StateChip state={state} words={words} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
