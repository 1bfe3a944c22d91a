// The programme of the demo's competitions: events, start lists, people. Pure.
import { type Athlete, bibs, CLUBS, COUNTRY, MEN, WOMEN } from './people.ts';

export const EVENTS = {
  sprint: { event_id: 'T01', event_code: '100', name: '100 m Women', genders: 'F', rounds: '3,1' },
  longJump: { event_id: 'F01', event_code: 'LJ', name: 'Long Jump Women', genders: 'F', rounds: '1' },
  highJump: { event_id: 'F02', event_code: 'HJ', name: 'High Jump Men', genders: 'M', rounds: '1' },
  relay: { event_id: 'T02', event_code: '4x100', name: '4x100 m Men', genders: 'M', rounds: '1' },
};

export const LONG_JUMPERS = bibs(WOMEN.slice(0, 10));
export const HIGH_JUMPERS = bibs(MEN.slice(0, 8));
export const HEATS = [0, 1, 2].map((heat) => bibs(WOMEN.filter((_, index) => index % 3 === heat)));
export const RELAY_TEAMS = CLUBS.map(({ team_id, team_name }) => ({
  relay_team_id: `${team_id}-A`,
  event_id: EVENTS.relay.event_id,
  name: team_name,
  team_id,
  runners: bibs(MEN.filter((athlete) => athlete.team_id === team_id)).slice(0, 4),
}));

/** The fields of a competition's own record. */
export function base(id: string, fullName: string, date: string, finishDate = date) {
  return {
    id,
    full_name: fullName,
    slug: fullName.toLowerCase().replaceAll(' ', '-'),
    country_id: COUNTRY,
    city: 'Saltmarsh Bay',
    date,
    finish_date: finishDate,
    age_groups: ['SEN'],
    basic_description: 'A made-up meeting of the demo',
  };
}

/** Everybody, entered for what they start in. */
export function people(further: Starters[] = []) {
  const entered = [...STARTERS, ...further];
  return {
    competitors: [...WOMEN, ...MEN].map((athlete) => ({
      ...athlete,
      events_entered: entriesOf(athlete, entered),
    })),
    teams: CLUBS,
    relay_teams: RELAY_TEAMS,
  };
}

function entriesOf({ competitor_id: bib }: Athlete, entered: Starters[]) {
  return entered
    .filter(({ starters }) => starters.includes(bib))
    .map(({ event: { event_id, event_code } }) => ({ event_id, event_code }));
}

type Starters = { event: { event_id: string; event_code: string }; starters: string[] };

const STARTERS: Starters[] = [
  { event: EVENTS.sprint, starters: HEATS.flat() },
  { event: EVENTS.longJump, starters: LONG_JUMPERS },
  { event: EVENTS.highJump, starters: HIGH_JUMPERS },
];
