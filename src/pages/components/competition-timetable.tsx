// The timetable of a competition: a table for each day, its units by hour with their states.
import { renderToString } from 'preact-render-to-string';
import type { Language } from '../locales/languages.ts';
import { shownDates } from '../locales/languages.ts';
import type { Words } from '../locales/en.ts';
import type { ListedUnit } from '../unit/heads.ts';
import { UNIT_STATES, type UnitState } from '../unit/state.ts';
import type { Day, Entry } from '../unit/timetable.ts';
import { Markup, markup } from './markup.ts';
import { StateChip } from './state-chip.tsx';

type Props = {
  days: Day[];
  hrefOfUnit: (unit: ListedUnit) => string;
  hrefOfEvent: (eventId: string) => string;
  setting: { words: Words; language: Language };
};

export function CompetitionTimetable({ days, hrefOfUnit, hrefOfEvent, setting }: Props) {
  const { words, language } = setting;
  const chips = new Map(UNIT_STATES.map((state) => [state, chipOf(state, words)]));
  const row = ({ event, unit }: Entry) =>
    markup`<tr><th scope="row" class="time">${unit.time}</th><td><a href="${hrefOfEvent(event.eventId)}">${event.title}</a> <a href="${hrefOfUnit(unit)}">${unit.name}</a> ${chips.get(unit.state)!}</td></tr>`;
  return (
    <section id="timetable" class="block timetable" aria-label={words.timetable} data-region="timetable">
      {days.length > 0 && <h2>{words.timetable}</h2>}
      {days.map(({ date, entries }) => (
        <table key={date}>
          <caption>{shownDates(language, date, date)}</caption>
          <thead class="spoken">
            <tr>
              <th scope="col">{words.time}</th>
              <th scope="col">{words.event}</th>
            </tr>
          </thead>
          <tbody dangerouslySetInnerHTML={{ __html: entries.map((entry) => row(entry).html).join('') }} />
        </table>
      ))}
    </section>
  );
}

const chipOf = (state: UnitState, words: Words): Markup =>
  new Markup(renderToString(<StateChip state={state} words={words} />));
