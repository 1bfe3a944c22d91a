// Clubs and athletes of a benchmark's competition. All of them are made up, surnames included.
import type { Random } from '../../src/demo/random.ts';
import type { Shape } from './shapes.ts';

export type Gender = 'F' | 'M';
export type Competitor = {
  competitor_id: string;
  first_name: string;
  last_name: string;
  date_of_birth: string;
  gender: Gender;
  age_group: string;
  category: string;
  team_id: string;
  events_entered: { event_id: string; event_code: string }[];
};
export type Team = { team_id: string; team_name: string };

const FIRST_NAMES = {
  F: 'Maren Ilze Saoirse Beatriz Oona Zofia Elif Carys Noor Linnea Petra Amaia Žofie Ágnes'.split(' '),
  M: 'Eamon Luka Tadeusz Iwan Mateo Joss Anders Kwame Rafe Timo Costin Yannis Jürgen Ødger'.split(' '),
};
const STARTS =
  'Ash Brind Calder Dunn Esk Farr Gors Holl Ivar Kolv Lark Moss Norr Oak Quarr Szel Thist Ulv'.split(' ');
const ENDS =
  'grindle verstad moray nervik dane wind kaven brae sund naar fell garten hamble rendon wandy mere'.split(
    ' ',
  );
const CLUBS = ['AC', 'Harriers', 'Striders', 'Athletics', 'AK', 'LG'];

const pick = <Item>(random: Random, items: Item[]): Item => items[Math.floor(random() * items.length)]!;
const twoDigits = (number: number) => String(number).padStart(2, '0');

export function makeTeams(random: Random, { teams }: Shape): Team[] {
  return Array.from({ length: teams }, (_, index) => ({
    team_id: `T${String(index + 1).padStart(3, '0')}`,
    team_name: `${pick(random, STARTS)}${pick(random, ENDS)} ${pick(random, CLUBS)}`,
  }));
}

/** Men and women in turn, bibs from 1. */
export function makeCompetitors(random: Random, { competitors }: Shape, teams: Team[]): Competitor[] {
  return Array.from({ length: competitors }, (_, index) => {
    const gender = index % 2 ? 'M' : 'F';
    const day = `${twoDigits(1 + Math.floor(random() * 12))}-${twoDigits(1 + Math.floor(random() * 28))}`;
    return {
      competitor_id: String(index + 1),
      first_name: pick(random, FIRST_NAMES[gender]),
      last_name: `${pick(random, STARTS)}${pick(random, ENDS)}`,
      date_of_birth: `${1986 + Math.floor(random() * 21)}-${day}`,
      gender,
      age_group: 'SEN',
      category: gender === 'F' ? 'SW' : 'SM',
      team_id: teams[index % teams.length]!.team_id,
      events_entered: [],
    };
  });
}
