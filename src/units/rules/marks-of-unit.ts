// Marks of a sent unit that want a second look: those refused with a question, and those taken with a doubt. Pure.
import { Invalid, type Issue } from '../../errors.ts';
import { isVertical } from './disciplines.ts';
import { markJudge } from './plausible-marks.ts';

/** A mark by its path inside the unit, and what is said of it. */
export type MarkFinding = { path: (string | number)[]; message: string };

/** The lists of a unit that hold marks. They are looked at as sent, judged or not. */
type SentMarks = { results?: unknown; trials?: unknown; heights?: unknown };

// Of a unit that is wrong throughout these say enough.
const MAX_FINDINGS = 1000;

/** Marks whose decimal point is missing. */
export const pointlessMarks = (unit: SentMarks, eventCode: string): MarkFinding[] =>
  findings(unit, eventCode, 'question');

/** A unit as sent, its event's code, and where in the body it stands. */
type PlacedMarks = { unit: SentMarks; eventCode: string; loc: Issue['loc'] };

/** @throws Invalid for marks whose decimal point is missing */
export function requirePoints(placed: PlacedMarks[]): void {
  const issues = placed.flatMap(({ unit, eventCode, loc }) =>
    pointlessMarks(unit, eventCode).map(({ path, message }) =>
      issue([...loc, ...path], message, 'value_error'),
    ),
  );
  if (issues.length > 0) throw new Invalid(issues);
}

/** Warnings of marks that nobody can have achieved, or nearly so: they are taken, since a judge is not to be stopped. */
export const implausibleMarks = ({ unit, eventCode, loc }: PlacedMarks): Issue[] =>
  findings(unit, eventCode, 'doubt').map(({ path, message }) =>
    issue([...loc, ...path], message, 'implausible'),
  );

/** The same of one attempt as it is recorded. */
export const attemptWarnings = (attempt: object, eventCode: string): Issue[] =>
  findings({ trials: [attempt] }, eventCode, 'doubt').map(({ path, message }) =>
    issue(['body', path.at(-1)!], message, 'implausible'),
  );

const issue = (loc: Issue['loc'], msg: string, type: string): Issue => ({ loc, msg, type });

function findings(unit: SentMarks, eventCode: string, about: 'question' | 'doubt'): MarkFinding[] {
  const judge = markJudge(eventCode)?.[about];
  if (!judge) return [];
  const vertical = isVertical(eventCode);
  const found = [
    ...findingsIn(unit.results, ['results', 'performance'], judge),
    ...findingsIn(unit.trials, ['trials', vertical ? 'height' : 'result'], judge),
    ...(vertical ? findingsIn(unit.heights, ['heights'], judge) : []),
  ];
  return found.slice(0, MAX_FINDINGS);
}

/** Uploads have tens of thousands of marks, nearly all of them in order: a path is made for the others alone. */
function findingsIn(
  list: unknown,
  [name, field]: [name: string, field?: string],
  judge: (mark: unknown) => string | undefined,
): MarkFinding[] {
  const found: MarkFinding[] = [];
  const items: unknown[] = Array.isArray(list) ? list : [];
  for (let index = 0; index < items.length && found.length < MAX_FINDINGS; index++) {
    const item = items[index] as Record<string, unknown> | null;
    const mark = field === undefined ? item : typeof item === 'object' ? item?.[field] : undefined;
    const message = judge(mark);
    if (message !== undefined)
      found.push({ path: [name, index, ...(field === undefined ? [] : [field])], message });
  }
  return found;
}
