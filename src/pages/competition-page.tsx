// The page of a competition: what happened last, timetable, events, teams, and ways to follow it elsewhere.
import type { Address } from '../addresses.ts';
import { overviewChannel } from '../push/channels.ts';
import { CompetitionEvents } from './components/competition-events.tsx';
import { CompetitionLinks } from './components/competition-links.tsx';
import { CompetitionTimetable } from './components/competition-timetable.tsx';
import { FollowedAthletes } from './components/followed-athletes.tsx';
import { StateChip } from './components/state-chip.tsx';
import { Ticker } from './components/ticker.tsx';
import { type Competition, type WholeCompetition, readCompetitionOfPage } from './competition-store.ts';
import { type CompetitionRecord, placeOf } from './competition-record.ts';
import { linkedCompetition } from './competition-linked-data.ts';
import {
  competitionPath,
  competitorsPath,
  eventPath,
  type PageOfCompetition,
  unitPath,
} from './definition.ts';
import type { Page, Setting } from './frame/page.ts';
import { shownDates } from './locales/languages.ts';
import { overallState } from './unit/competition-state.ts';
import { type ListedEvent, listed } from './unit/heads.ts';
import { ticker } from './unit/ticker.ts';
import { timetable } from './unit/timetable.ts';

const LATEST_UNITS = 8;
const LATEST_ITEMS = 12;

export const competitionPage: PageOfCompetition = {
  path: '',
  noun: 'competition',
  reading: 'one statement',
  part: () => ({
    key: 'competition',
    async read(db, id, address) {
      const found = await readCompetitionOfPage(db, id, LATEST_UNITS);
      return found && { page: pageOf(found, address), revision: found.revision };
    },
  }),
};

function pageOf(competition: WholeCompetition, address: Address): Page {
  const { latest, teams } = competition;
  const events = listed(competition.events, competition.units);
  const record = JSON.parse(competition.recordText) as CompetitionRecord;
  const path = competitionPath(address);
  const channel = overviewChannel(address);
  const place = placeOf(record);
  const { date, finishDate } = competition;
  return {
    name: 'competition',
    title: record.full_name,
    description: ({ language }) =>
      [record.full_name, place, shownDates(language, date, finishDate)].filter(Boolean).join(', '),
    path,
    json: `${path}json/`,
    live: { push: competition.push, finish: finishDate, regions: channel },
    linkedData: (setting) => linkedCompetition({ record, date, finishDate, events }, address, setting),
    main: (setting) => {
      const { words, prefix } = setting;
      const hrefOfUnit = (unit: { eventId: string; round: number; heat: number }) =>
        prefix + unitPath(address, unit);
      const hrefOfEvent = (eventId: string) => prefix + eventPath(address, eventId);
      const days = timetable(events, date);
      return (
        <>
          <Head {...{ record, competition, events, setting }} />
          <nav class="sections" aria-label={record.full_name}>
            {days.length > 0 && <a href="#timetable">{words.timetable}</a>}
            <a href="#events">{words.events}</a>
            <a href={prefix + competitorsPath(address)}>{words.competitors}</a>
            {teams.length > 0 && <a href="#teams">{words.teams}</a>}
            <a href="#links">{words.links}</a>
          </nav>
          <FollowedAthletes path={path} setting={setting} />
          <div class={days.length > 0 ? 'competition-columns' : undefined}>
            <Ticker items={ticker(latest, LATEST_ITEMS)} hrefOf={hrefOfUnit} words={words} />
            <CompetitionTimetable {...{ days, hrefOfUnit, hrefOfEvent, setting }} />
          </div>
          <CompetitionEvents {...{ events, hrefOfUnit, hrefOfEvent, words }} />
          <Teams teams={teams} setting={setting} address={address} />
          <CompetitionLinks {...{ record, path, channel, setting }} />
        </>
      );
    },
  };
}

type HeadProps = {
  record: CompetitionRecord;
  competition: Competition;
  events: ListedEvent[];
  setting: Setting;
};

function Head({ record, competition, events, setting: { language, words } }: HeadProps) {
  const { nameLocal, date, finishDate } = competition;
  const state = overallState(events.flatMap(({ units }) => units.map((unit) => unit.state)));
  const place = placeOf(record);
  return (
    <div class="competition-head">
      <h1>{record.full_name}</h1>
      {nameLocal !== '' && nameLocal !== record.full_name && <p class="local-name">{nameLocal}</p>}
      <p class="competition-facts">
        <time datetime={date === finishDate ? date : `${date}/${finishDate}`}>
          {shownDates(language, date, finishDate)}
        </time>
        {place !== '' && <span>{place}</span>}
        <span data-region="state">{state && <StateChip state={state} words={words} />}</span>
      </p>
      {record.basic_description && <p>{record.basic_description}</p>}
    </div>
  );
}

type TeamsProps = { teams: WholeCompetition['teams']; setting: Setting; address: Address };

function Teams({ teams, setting: { words, prefix }, address }: TeamsProps) {
  if (teams.length === 0) return null;
  return (
    <section id="teams" class="block">
      <h2>{words.teams}</h2>
      <ul class="teams">
        {teams.map(({ teamId, name }) => (
          <li key={teamId}>
            <a href={`${prefix}${competitorsPath(address)}?q=${encodeURIComponent(name || teamId)}`}>
              {name || teamId}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
