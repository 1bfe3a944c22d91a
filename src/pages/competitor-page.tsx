// The page of a competitor: next start, results, entries. It shows what the public document of the competitor holds.
import type { Address } from '../addresses.ts';
import { competitorWithResults } from '../site/documents/competitor-text.ts';
import { readCompetitor, relayTeamsOf, teamNameOf, unitTextsWith } from '../site/documents/store.ts';
import { Trail } from './components/trail.tsx';
import { type Entry, Entries, NextStart, Results } from './components/competitor-view.tsx';
import { type Competition, readCompetition, readEventHeads } from './competition-store.ts';
import type { CompetitionRecord } from './competition-record.ts';
import { localName, nameOfPerson } from './competitors-page.tsx';
import {
  competitionPath,
  competitorPath,
  competitorsPath,
  eventPath,
  type PageOfCompetition,
  unitPath,
} from './definition.ts';
import { overviewChannel } from '../push/channels.ts';
import type { Page } from './frame/page.ts';
import { type EventHead, titleOf } from './unit/heads.ts';
import { isResult, nextStart, type Start, startsOf } from './unit/starts.ts';
import { type Result, textOf, type Unit } from './unit/unit.ts';

export const competitorPage: PageOfCompetition = {
  path: '/competitor/:competitor_id',
  noun: 'competitor',
  reading: 'snapshot',
  part: ({ competitor_id }) => ({
    key: `competitor ${competitor_id}`,
    async read(db, id, address) {
      const competitorId = competitor_id!;
      const competition = await readCompetition(db, id);
      const record = competition && (await readCompetitor(db, id, competitorId));
      if (!record) return null;
      const relayTeams = await relayTeamsOf(db, id, competitorId);
      const bibs = [competitorId, ...relayTeams.map(({ relayTeamId }) => relayTeamId)];
      const texts = await unitTextsWith(db, id, bibs);
      const surroundings = { record, firstDay: competition.date, relayTeams, names: NO_NAMES };
      const person = JSON.parse(competitorWithResults(surroundings, texts, PUBLIC)) as Person;
      const events = new Map((await readEventHeads(db, id)).map((event) => [event.eventId, event]));
      const found = {
        competition,
        person,
        team: textOf(person['team_name']) || (await teamNameOf(db, id, record['team_id'])) || '',
        starts: startsOf(
          person.results,
          texts.map((text) => JSON.parse(text) as Unit),
          events,
        ),
        entries: entriesOf(person, events),
      };
      return { page: pageOf(found, address), revision: competition.revision };
    },
  }),
};

// Only the older naming of the JSON puts names into a competitor.
const NO_NAMES = { team: () => undefined, runner: () => undefined };
// An age is enough for a page, whatever the JSON may say.
const PUBLIC = { naming: 'snake', publishDateOfBirth: false } as const;

type NamedResult = Result & { event_id: string; round_no: number; heat_no: number };
type Person = Record<string, unknown> & { competitor_id: string; results: NamedResult[] };

function entriesOf(person: Person, events: ReadonlyMap<string, EventHead>): Entry[] {
  const entries = person['events_entered'];
  if (!Array.isArray(entries)) return [];
  return (entries as Record<string, unknown>[]).map((entry) => {
    const eventId = textOf(entry['event_id']);
    const event = events.get(eventId);
    return {
      eventId: event && eventId,
      name: event ? titleOf(event) : textOf(entry['event_code']) || eventId,
      season: textOf(entry['sb']),
      personal: textOf(entry['pb']),
    };
  });
}

type Found = {
  competition: Competition;
  person: Person;
  team: string;
  starts: Start[];
  entries: Entry[];
};

function pageOf({ competition, person, team, starts, entries }: Found, address: Address): Page {
  const { full_name: competitionName } = JSON.parse(competition.recordText) as CompetitionRecord;
  const bib = person.competitor_id;
  const name = nameOfPerson(person) || bib;
  const path = competitorPath(address, bib);
  return {
    name: 'competitor',
    title: `${name} · ${competitionName}`,
    description: ({ words }) => [words.competitor, name, team, competitionName].filter(Boolean).join(', '),
    path,
    json: `${path}json/`,
    live: { push: competition.push, finish: competition.finishDate, regions: overviewChannel(address) },
    main: (setting) => {
      const { words, prefix } = setting;
      const hrefOfUnit = ({ event_id: eventId, round_no: round, heat_no: heat }: Unit) =>
        prefix + unitPath(address, { eventId, round, heat });
      const facts = [bib && `${words.bib} ${bib}`, team, person['nationality'], person['age_group']].map(
        textOf,
      );
      return (
        <>
          <Trail
            label={words.toCompetition}
            links={[
              { href: prefix + competitionPath(address), text: competitionName },
              { href: prefix + competitorsPath(address), text: words.competitors },
            ]}
          />
          <h1>{name}</h1>
          {localName(person) !== '' && <p class="local-name">{localName(person)}</p>}
          <p class="competition-facts">
            {facts.filter(Boolean).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
            {typeof person['age'] === 'number' && (
              <span>
                {words.age} {person['age']}
              </span>
            )}
            <button
              type="button"
              data-action="follow"
              data-follow={path}
              data-name={name}
              data-pressed={words.followed}
              aria-pressed="false"
              hidden
            >
              {words.follow}
            </button>
          </p>
          <NextStart start={nextStart(starts)} hrefOf={hrefOfUnit} words={words} />
          <Results starts={starts.filter(isResult)} hrefOf={hrefOfUnit} words={words} />
          <Entries
            entries={entries}
            hrefOf={(eventId) => prefix + eventPath(address, eventId)}
            words={words}
          />
        </>
      );
    },
  };
}
