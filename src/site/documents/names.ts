// Names of the teams and runners of a competition, gathered when the first is asked for. Pure.
import type { Parts } from '../../competitions/record-with-parts.ts';
import type { Names } from './camel-fields.ts';

export function namesIn({ teams, competitors }: Pick<Parts, 'teams' | 'competitors'>): Names {
  let teamNames: Map<string, string> | undefined;
  let runnerNames: Map<string, string> | undefined;
  return {
    team(teamId) {
      teamNames ??= new Map(teams.map((text) => namedTeam(JSON.parse(text) as Fields)));
      return teamNames.get(teamId) || undefined;
    },
    runner(competitorId) {
      runnerNames ??= new Map(competitors.map(({ record }) => namedRunner(record)));
      return runnerNames.get(competitorId) || undefined;
    },
  };
}

type Fields = Record<string, unknown>;

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

const namedTeam = (team: Fields): [string, string] => [textIn(team, 'team_id'), textIn(team, 'team_name')];

const namedRunner = (person: Fields): [string, string] => [
  textIn(person, 'competitor_id'),
  `${textIn(person, 'first_name')} ${textIn(person, 'last_name')}`.trim(),
];
