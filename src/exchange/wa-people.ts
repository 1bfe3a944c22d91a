// Athletes and relay teams of the World Athletics result import, and what it asks for that they do not have. Pure.
import { HOME_NATIONS, toIso, worldAthleticsCode } from '../countries.ts';
import type { MissingParts } from './wa-missing.ts';
import { isCountry, type WaAthlete, type WaRelayTeam } from './wa-model.ts';
import { type Starters, waIdOf } from './wa-race.ts';

type Fields = Record<string, unknown>;
export type Competitor = { position: number; record: Fields };
export type RelayTeam = { relayTeamId: string; name: string; teamId: string | null; record: Fields };
export type Team = { name: string; record: Fields };

/** Who may stand behind the bibs of some units of one event. */
export type People = {
  competitor(id: string): Competitor | undefined;
  relayTeam(id: string): RelayTeam | undefined;
  team(id: string): Team | undefined;
};

/** As World Athletics spells it; home nations compete for GBR there. Undefined for what is no country of theirs. */
export function waCountry(country: unknown): string | undefined {
  const iso = typeof country === 'string' ? toIso(country.trim()) : null;
  if (!iso) return undefined;
  // BRN is Bahrain there, and Brunei here: see countries.ts.
  const code = iso === 'BHR' ? 'BRN' : HOME_NATIONS.has(iso) ? 'GBR' : worldAthleticsCode(iso);
  return isCountry(code) ? code : undefined;
}

const countryOf = ({ nationality, country, country_id }: Fields = {}): string | undefined =>
  waCountry(nationality || country || country_id);

const SEX: Record<string, 'female' | 'male'> = { F: 'female', W: 'female', M: 'male' };

// The same in every file of a competition.
const localId = ({ position }: Competitor): number => position + 1;

/** An athlete; `index` is where in the file. */
export function waAthlete(competitor: Competitor, index: number, { note }: MissingParts): WaAthlete {
  const { record } = competitor;
  const text = (field: string) => {
    const value = record[field];
    return typeof value === 'string' ? value : '';
  };
  const found = {
    waId: waIdOf(record, 'wa_id'),
    firstName: text('first_name') || undefined,
    lastName: text('last_name') || undefined,
    birthdate: /^\d{4}-\d\d-\d\d$/.test(text('date_of_birth')) ? text('date_of_birth') : undefined,
    country: countryOf(record),
  };
  const sex = SEX[text('gender').toUpperCase()];
  for (const [field, value] of Object.entries(found))
    if (value === undefined && field !== 'waId')
      note({ path: ['athletes', index], field, reason: `Competitor ${text('competitor_id')}: not known` });
  const { waId, firstName = '', lastName = '', birthdate, country } = found;
  return {
    id: localId(competitor),
    ...(waId && { waId }),
    firstName,
    lastName,
    ...(birthdate && { birthdate }),
    ...(country && { country }),
    ...(sex && { sex }),
  };
}

/** Who is in the file, as its races name them. */
export type Members = {
  /** Positions of the competitors among them. */
  positions: ReadonlySet<number>;
  relayTeams: WaRelayTeam[];
  startersOf(eventId: string, people: People): Starters;
};

export function createMembers({ note }: MissingParts): Members {
  const positions = new Set<number>();
  const relayTeams: WaRelayTeam[] = [];
  const teamIds = new Map<string, number>();

  const take = (competitor: Competitor | undefined) => {
    if (competitor) positions.add(competitor.position);
    return competitor;
  };
  function idOfTeam(key: string, found: FoundTeam, runners: Competitor[]): number {
    const known = teamIds.get(key);
    if (known !== undefined) return known;
    const country = countryOf(found.record) ?? countryOf(found.ofTeam) ?? commonCountry(runners);
    const waId = waIdOf(found.record, 'wa_id');
    const path = ['relayTeams', relayTeams.length];
    if (!country) note({ path, field: 'country', reason: `${found.name}: neither team nor runners say` });
    const id = relayTeams.push({
      id: relayTeams.length + 1,
      ...(waId && { waId }),
      name: found.name,
      ...(country && { country }),
    });
    teamIds.set(key, id);
    return id;
  }
  return {
    positions,
    relayTeams,
    startersOf: (eventId, people) => ({
      athlete(bib) {
        const competitor = take(people.competitor(bib));
        return competitor && localId(competitor);
      },
      relayTeam(bib, isRelay) {
        const found = teamBehind(bib, people, isRelay);
        if (!found) return undefined;
        const bibs = Array.isArray(found.record['runners']) ? found.record['runners'].map(String) : [];
        const runners = bibs.flatMap((runner) => take(people.competitor(runner)) ?? []);
        return {
          id: idOfTeam(JSON.stringify([found.of === 'event' ? eventId : '', bib]), found, runners),
          legs: runners.map(localId),
          unknown: bibs.filter((runner) => !people.competitor(runner)),
        };
      },
    }),
  };
}

type FoundTeam = { of: 'event' | 'competition'; name: string; record: Fields; ofTeam?: Fields | undefined };

/** The relay team of that event; in relays, else the team of that id. */
function teamBehind(bib: string, people: People, isRelay: boolean): FoundTeam | undefined {
  const relay = people.relayTeam(bib);
  if (relay) {
    const team = relay.teamId === null ? undefined : people.team(relay.teamId);
    return {
      of: 'event',
      name: relay.name || team?.name || bib,
      record: relay.record,
      ofTeam: team?.record,
    };
  }
  const team = isRelay ? people.team(bib) : undefined;
  return team && { of: 'competition', name: team.name || bib, record: team.record };
}

/** The country of all of them; INT of runners of several. Undefined where one says nothing. */
function commonCountry(runners: Competitor[]): string | undefined {
  const found = new Set(runners.map(({ record }) => countryOf(record)));
  const [first] = found;
  return found.has(undefined) ? undefined : found.size > 1 ? 'INT' : first;
}
