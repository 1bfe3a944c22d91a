// Marks of a sent unit that want a second look: those refused with a question, and those taken with a doubt. Pure.
import { Invalid, type Issue } from '../../errors.ts';
import { isVertical } from './disciplines.ts';
import { markJudge } from './plausible-marks.ts';

/** A mark by its path inside the unit, and what is said of it. */
export type MarkFinding = { path: (string | number)[]; message: string };

/** The lists of a unit that hold marks. They are looked at as sent, judged or not. */
type SentMarks = { results?: unknown; trials?: unknown; heights?: unknown };
type Mark = { path: (string | number)[]; mark: unknown };

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
  const judge = markJudge(eventCode);
  const found: MarkFinding[] = [];
  if (!judge) return found;
  for (const { path, mark } of marksIn(unit, isVertical(eventCode))) {
    const message = judge[about](mark);
    if (message !== undefined) found.push({ path, message });
    if (found.length === MAX_FINDINGS) break;
  }
  return found;
}

function* marksIn({ results, trials, heights }: SentMarks, vertical: boolean): Iterable<Mark> {
  yield* marksOf(results, 'results', 'performance');
  yield* marksOf(trials, 'trials', vertical ? 'height' : 'result');
  if (!vertical || !Array.isArray(heights)) return;
  for (const [index, mark] of heights.entries()) yield { path: ['heights', index], mark };
}

function* marksOf(list: unknown, name: string, field: string): Iterable<Mark> {
  if (!Array.isArray(list)) return;
  for (const [index, item] of (list as unknown[]).entries()) {
    if (typeof item !== 'object' || item === null) continue;
    yield { path: [name, index, field], mark: (item as Record<string, unknown>)[field] };
  }
}
