// The pages of an event and of one of its rounds: their units, who advanced, and of a combined event its parts.
import type { Address } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { pathNumber } from '../http/path.ts';
import { overviewChannel } from '../push/channels.ts';
import { LiveUnitBlock } from './components/live-unit-block.tsx';
import { Qualified } from './components/qualified.tsx';
import { StateChip } from './components/state-chip.tsx';
import { Trail } from './components/trail.tsx';
import { UnitLinks } from './components/unit-links.tsx';
import {
  type Competition,
  readCompetition,
  readEventHeads,
  readFirstTexts,
  readQualified,
  readUnitHeads,
} from './competition-store.ts';
import type { CompetitionRecord } from './competition-record.ts';
import { competitionPath, eventPath, type PageOfCompetition, roundPath, unitPath } from './definition.ts';
import type { Page, Setting } from './frame/page.ts';
import type { Words } from './locales/en.ts';
import { overallState } from './unit/competition-state.ts';
import { type ListedEvent, listed } from './unit/heads.ts';
import { contestOf } from './unit/live-unit.ts';
import { byRound, type Qualifier } from './unit/qualified.ts';
import type { Unit } from './unit/unit.ts';

// A browser that listens to more channels at once, and draws more tables, is slow on a telephone.
const MOST_LIVE = 20;

export const eventPage: PageOfCompetition = {
  path: '/event/:event_id',
  noun: 'event',
  reading: 'snapshot',
  part: ({ event_id }) => eventPart(event_id!),
};

export const roundPage: PageOfCompetition = {
  path: '/event/:event_id/:round_no',
  noun: 'round',
  reading: 'snapshot',
  part: ({ event_id, round_no }) => eventPart(event_id!, pathNumber(round_no, 'round')),
};

type Found = {
  competition: Competition;
  event: ListedEvent;
  round: number | undefined;
  live: Unit[];
  qualified: Qualifier[];
  parts: ListedEvent[];
};

const eventPart = (eventId: string, round?: number) => ({
  key: `event ${round ?? 0} ${eventId}`,
  async read(db: Executor, id: string, address: Address) {
    const competition = await readCompetition(db, id);
    const [head] = await readEventHeads(db, id, { eventId });
    if (!competition || !head) return null;
    const parts = withoutOwn(await readEventHeads(db, id, { parent: eventId }), eventId);
    const heads = await readUnitHeads(db, id, [eventId, ...parts.map((part) => part.eventId)]);
    const [event] = listed([head], heads);
    if (round !== undefined && !event!.units.some((unit) => unit.round === round)) return null;
    const of = { id, eventId, round };
    const found: Found = {
      competition,
      event: event!,
      round,
      live: (await readFirstTexts(db, of, MOST_LIVE)).map((text) => JSON.parse(text) as Unit),
      qualified: (await readQualified(db, of)) as Qualifier[],
      parts: listed(parts, heads),
    };
    return { page: pageOf(found, address), revision: competition.revision };
  },
});

// Nobody's event is a part of itself, whatever was sent.
const withoutOwn = <Head extends { eventId: string }>(parts: Head[], eventId: string): Head[] =>
  parts.filter((part) => part.eventId !== eventId);

function pageOf(found: Found, address: Address): Page {
  const { competition, event, round } = found;
  const { full_name: competitionName } = JSON.parse(competition.recordText) as CompetitionRecord;
  const { eventId, title } = event;
  const path = round === undefined ? eventPath(address, eventId) : roundPath(address, eventId, round);
  const nameWith = (words?: Words) =>
    round === undefined ? title : `${title} · ${roundName(event, round, words)}`;
  const name = nameWith();
  return {
    name: round === undefined ? 'event' : 'round',
    title: `${name} · ${competitionName}`,
    description: `${name}, ${competitionName}`,
    path,
    json: `${path}json/`,
    live: { push: competition.push, finish: competition.finishDate, regions: overviewChannel(address) },
    drawsUnits: found.live.length > 0,
    main: (setting) => {
      const { words, prefix } = setting;
      const trail = [{ href: prefix + competitionPath(address), text: competitionName }];
      if (round !== undefined) trail.push({ href: prefix + eventPath(address, eventId), text: title });
      return (
        <>
          <Trail label={words.toCompetition} links={trail} />
          <h1>
            {nameWith(words)} <StateOfAll found={found} setting={setting} />
          </h1>
          {round === undefined && <Rounds event={event} setting={setting} address={address} />}
          <Parts parts={round === undefined ? found.parts : []} setting={setting} address={address} />
          <Units found={found} setting={setting} address={address} />
          <Qualified
            rounds={byRound(found.qualified)}
            words={words}
            nameOf={(one) => roundName(event, one, words)}
          />
        </>
      );
    },
  };
}

/** "Semi-final" of "Semi-final 2", where all units of the round have such names; else its number. */
function roundName({ units }: ListedEvent, round: number, words?: Words): string {
  const own = units.filter((unit) => unit.round === round);
  const names = new Set(own.map(({ name }) => name.replace(/\s+(\d+|[A-Z])$/, '')));
  return names.size === 1 ? [...names][0]! : (words?.round(round) ?? String(round));
}

type PartProps = { found: Found; setting: Setting; address: Address };

const unitsOf = ({ event, round }: Found) =>
  event.units.filter((unit) => round === undefined || unit.round === round);

function StateOfAll({ found, setting }: Omit<PartProps, 'address'>) {
  const state = overallState(unitsOf(found).map((unit) => unit.state));
  return <span data-region="state">{state && <StateChip state={state} words={setting.words} />}</span>;
}

type RoundsProps = { event: ListedEvent; setting: Setting; address: Address };

function Rounds({ event, setting: { words, prefix }, address }: RoundsProps) {
  const rounds = [...new Set(event.units.map(({ round }) => round))];
  if (rounds.length < 2) return null;
  return (
    <nav class="sections" aria-label={words.otherUnits}>
      {rounds.map((round) => (
        <a key={round} href={prefix + roundPath(address, event.eventId, round)}>
          {roundName(event, round, words)}
        </a>
      ))}
    </nav>
  );
}

function Parts({
  parts,
  setting: { words, prefix },
  address,
}: Omit<PartProps, 'found'> & { parts: ListedEvent[] }) {
  if (parts.length === 0) return null;
  return (
    <section class="block" data-region="parts" aria-label={words.parts}>
      <h2>{words.parts}</h2>
      <ul class="event-list">
        {parts.map((part) => (
          <li key={part.eventId} data-event={part.eventId}>
            <h3>
              <a href={prefix + eventPath(address, part.eventId)}>{part.title}</a>
            </h3>
            <UnitLinks units={part.units} hrefOf={(unit) => prefix + unitPath(address, unit)} words={words} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Units({ found, setting, address }: PartProps) {
  const { live, event, parts } = found;
  const { words, prefix } = setting;
  const all = unitsOf(found);
  const shown = new Set(live.map((unit) => `${unit.round_no}/${unit.heat_no}`));
  const others = all.filter(({ round, heat }) => !shown.has(`${round}/${heat}`));
  return (
    <>
      {live.map((unit) => {
        const ref = { eventId: event.eventId, round: unit.round_no, heat: unit.heat_no };
        return (
          <LiveUnitBlock
            key={`${ref.round}/${ref.heat}`}
            unit={unit}
            setting={setting}
            live={{
              url: `${unitPath(address, ref)}json/`,
              channel: unit.channel,
              base: prefix + competitionPath(address),
              page: prefix + unitPath(address, ref),
              contest: contestOf(event.record),
              isParent: parts.length > 0,
              order: 'place',
            }}
          />
        );
      })}
      {others.length > 0 && (
        <section class="block" data-region="others">
          <p>{words.moreUnits(live.length, all.length)}</p>
          <UnitLinks units={others} hrefOf={(unit) => prefix + unitPath(address, unit)} words={words} />
        </section>
      )}
    </>
  );
}
