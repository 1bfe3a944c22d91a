// Kinds of units, by which their tables differ. Pure.
import { isCombined, isHorizontal, isRelay, isVertical } from '../../units/rules/disciplines.ts';
import { textOf, type Unit } from './unit.ts';

export type Kind = 'race' | 'relay' | 'horizontal' | 'vertical' | 'combined' | 'teams';

/** @param isParent whether other events name this one as theirs: only then is a code that is no race a combined event */
export function kindOf(unit: Unit, isParent: boolean): Kind {
  const { event_code: code } = unit;
  if (isVertical(code)) return 'vertical';
  if (isHorizontal(code)) return 'horizontal';
  if (isRelay(code)) return 'relay';
  if (isParent && isCombined(code)) return 'combined';
  const results = unit.results ?? [];
  const byTeams = results.length > 0 && results.every(isOfTeam);
  return byTeams ? 'teams' : 'race';
}

const isOfTeam = ({ athlete_name, team_name }: NonNullable<Unit['results']>[number]) =>
  textOf(athlete_name) === '' && textOf(team_name) !== '';
