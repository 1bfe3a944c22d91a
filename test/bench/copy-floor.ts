// The floor of uploads: the same competition copied into tables of the plainest normalised schema, with every foreign key.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Bench } from './bench.ts';
import type { Competition } from './competition.ts';

const SCHEMA = `
  create table competitions (id uuid primary key, full_name text not null, slug text not null, country_id text not null,
    date date not null, finish_date date not null, city text not null);
  create table teams (competition_id uuid references competitions, team_id text, team_name text not null,
    primary key (competition_id, team_id));
  create table competitors (competition_id uuid references competitions, competitor_id text, first_name text not null,
    last_name text not null, date_of_birth date, gender text, age_group text, category text, team_id text,
    primary key (competition_id, competitor_id), foreign key (competition_id, team_id) references teams);
  create table events (competition_id uuid references competitions, event_id text, event_code text not null, name text not null,
    genders text, category text, age_groups text[], rounds text, primary key (competition_id, event_id));
  create table entries (competition_id uuid, competitor_id text, event_id text, primary key (competition_id, competitor_id, event_id),
    foreign key (competition_id, competitor_id) references competitors, foreign key (competition_id, event_id) references events);
  create table relay_teams (competition_id uuid, event_id text, relay_team_id text, name text not null, team_id text, runners text[],
    primary key (competition_id, event_id, relay_team_id), foreign key (competition_id, event_id) references events,
    foreign key (competition_id, team_id) references teams);
  create table units (unit_id uuid primary key, competition_id uuid not null, event_id text not null, round int not null, heat int not null,
    status text not null, results_status text not null, scheduled_start_time text, wind_assistance text, heights text[],
    unique (competition_id, event_id, round, heat), foreign key (competition_id, event_id) references events);
  create table results (unit_id uuid references units, bib text, competition_id uuid not null, event_id text not null,
    competitor_id text, relay_team_id text, place int, performance text, primary key (unit_id, bib),
    foreign key (competition_id, competitor_id) references competitors,
    foreign key (competition_id, event_id, relay_team_id) references relay_teams);
  create table attempts (unit_id uuid, position int, bib text not null, round int, height text, result text not null,
    primary key (unit_id, position), foreign key (unit_id, bib) references results);`;

type Rows = { table: string; columns: string; rows: object[] };

/** Prepares the floor in a database of its own. @returns what copies the competition as a new one and tells the milliseconds */
export async function copyFloor(bench: Bench, competition: Competition): Promise<() => Promise<number>> {
  const client = new Client({ connectionString: await bench.database() });
  await client.connect();
  bench.afterwards(() => client.end());
  await client.query(SCHEMA);
  return async () => {
    const prepared = rowsOf(competition).map(({ table, columns, rows }) => ({
      statement: `copy ${table} (${columns}) from stdin`,
      text: copyText(columns.split(', '), rows),
    }));
    const startMs = performance.now();
    await client.query('begin');
    for (const { statement, text } of prepared) {
      await pipeline(Readable.from([text]), client.query(copyFrom(statement)));
    }
    await client.query('commit');
    return performance.now() - startMs;
  };
}

function copyText(columns: string[], rows: object[]): string {
  const lines = (rows as Record<string, unknown>[]).map((row) =>
    columns.map((column) => cellText(row[column])).join('\t'),
  );
  return `${lines.join('\n')}\n`;
}

// Nothing in the competition has to be escaped.
function cellText(cell: unknown): string {
  if (cell == null) return String.raw`\N`;
  return Array.isArray(cell) ? `{${cell.join(',')}}` : `${cell as string | number}`;
}

function rowsOf(competition: Competition): Rows[] {
  const competition_id = randomUUID();
  const own = <Item extends object>(items: Item[]) => items.map((item) => ({ ...item, competition_id }));
  const { teams, competitors, events, relay_teams } = competition;
  const entries = competitors.flatMap(({ competitor_id, events_entered }) =>
    events_entered.map(({ event_id }) => ({ competitor_id, event_id })),
  );
  return [
    {
      table: 'competitions',
      columns: 'id, full_name, slug, country_id, date, finish_date, city',
      rows: [{ ...competition, id: competition_id }],
    },
    { table: 'teams', columns: 'competition_id, team_id, team_name', rows: own(teams) },
    {
      table: 'competitors',
      columns:
        'competition_id, competitor_id, first_name, last_name, date_of_birth, gender, age_group, category, team_id',
      rows: own(competitors),
    },
    {
      table: 'events',
      columns: 'competition_id, event_id, event_code, name, genders, category, age_groups, rounds',
      rows: own(events),
    },
    { table: 'entries', columns: 'competition_id, competitor_id, event_id', rows: own(entries) },
    {
      table: 'relay_teams',
      columns: 'competition_id, event_id, relay_team_id, name, team_id, runners',
      rows: own(relay_teams),
    },
    ...unitRows(competition_id, events),
  ];
}

function unitRows(competition_id: string, events: Competition['events']): Rows[] {
  const units = events.flatMap(({ event_id, units }) =>
    units.map((unit) => ({ ...unit, unit_id: randomUUID(), competition_id, event_id })),
  );
  return [
    {
      table: 'units',
      columns:
        'unit_id, competition_id, event_id, round, heat, status, results_status, scheduled_start_time, wind_assistance, heights',
      rows: units,
    },
    {
      table: 'results',
      columns: 'unit_id, bib, competition_id, event_id, competitor_id, relay_team_id, place, performance',
      rows: units.flatMap(({ results, ...unit }) =>
        results.map((result) => ({ ...unit, ...result, ...whose(unit.event_id, result.bib) })),
      ),
    },
    {
      table: 'attempts',
      columns: 'unit_id, position, bib, round, height, result',
      rows: units.flatMap(({ unit_id, trials = [] }) =>
        trials.map((trial, position) => ({ ...trial, unit_id, position })),
      ),
    },
  ];
}

const whose = (eventId: string, bib: string) =>
  eventId.startsWith('R') ? { relay_team_id: bib } : { competitor_id: bib };
