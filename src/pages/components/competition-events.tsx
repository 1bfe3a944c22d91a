// The events of a competition, those of a combined event below it, each with its units and their states.
import type { Words } from '../locales/en.ts';
import type { ListedEvent, ListedUnit } from '../unit/heads.ts';
import { overallState } from '../unit/competition-state.ts';
import { StateChip } from './state-chip.tsx';
import { UnitLinks } from './unit-links.tsx';

type Props = {
  events: ListedEvent[];
  hrefOfUnit: (unit: ListedUnit) => string;
  hrefOfEvent: (eventId: string) => string;
  words: Words;
};

// Beyond these a page has an event's own state in place of those of its units, which stand in the timetable and on its page.
const MANY_UNITS = 400;

export function CompetitionEvents({ events, ...given }: Props) {
  const rest = { ...given, brief: events.reduce((sum, { units }) => sum + units.length, 0) > MANY_UNITS };
  const { words } = rest;
  const known = new Set(events.map(({ eventId }) => eventId));
  const isPart = ({ parent, eventId }: ListedEvent) =>
    parent !== null && parent !== eventId && known.has(parent);
  const parts = events.filter(isPart);
  const partsOf = (eventId: string) => parts.filter(({ parent }) => parent === eventId);
  const whole = events.filter((event) => !isPart(event));
  return (
    <section id="events" class="block events" aria-label={words.events} data-region="events">
      <h2>{words.events}</h2>
      {events.length === 0 && <p class="quiet">{words.noEvents}</p>}
      <ul class="event-list">
        {whole.map((event) => (
          <EventItem key={event.eventId} event={event} parts={partsOf(event.eventId)} {...rest} />
        ))}
      </ul>
    </section>
  );
}

type ItemProps = Omit<Props, 'events'> & { event: ListedEvent; parts: ListedEvent[]; brief: boolean };

function EventItem({ event, parts, ...rest }: ItemProps) {
  const { hrefOfUnit, hrefOfEvent, words, brief } = rest;
  const state = brief ? overallState(event.units.map((unit) => unit.state)) : undefined;
  return (
    <li data-event={event.eventId}>
      <h3>
        <a href={hrefOfEvent(event.eventId)}>{event.title}</a>{' '}
        {state && <StateChip state={state} words={words} />}
      </h3>
      {!brief && <UnitLinks units={event.units} hrefOf={hrefOfUnit} words={words} />}
      {parts.length > 0 && (
        <ul class="event-list parts">
          {parts.map((part) => (
            <EventItem key={part.eventId} event={part} parts={[]} {...rest} />
          ))}
        </ul>
      )}
    </li>
  );
}
