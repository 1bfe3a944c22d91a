// Problems of one request: the first hundred with their paths, the others as a number. Pure.
import type { Issue } from '../errors.ts';

export const MAX_REPORTED = 100;
// Whoever sent so many learns no more from an exact number.
const MAX_COUNTED = 10_000;

export type Problems = {
  /** Takes one in; asked for in full only while it will be told. */
  add(problem: () => Issue): void;
  /** Whether looking for more is of no use. */
  enough(): boolean;
  count(): number;
  /** As they are told, the last being how many more there are. */
  told(): Issue[];
};

export function createProblems(): Problems {
  const issues: Issue[] = [];
  let count = 0;
  return {
    add(problem) {
      if (issues.length < MAX_REPORTED) issues.push(problem());
      count += 1;
    },
    enough: () => count >= MAX_COUNTED,
    count: () => count,
    told() {
      const more = count - issues.length;
      if (more === 0) return issues;
      const number = `${count >= MAX_COUNTED ? 'at least ' : ''}${more.toLocaleString('en')}`;
      return [...issues, { loc: ['body'], msg: `… and ${number} more`, type: 'more' }];
    },
  };
}
