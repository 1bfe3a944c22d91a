// Problems of one request: the first hundred with their paths, the others as a number. Pure.
import type { Issue } from '../errors.ts';

export const MAX_REPORTED = 100;
// Whoever sent so many learns no more from an exact number.
const MAX_COUNTED = 10_000;

export type Told<Item> = {
  /** Takes one in; asked for in full only while it will be told. */
  add(item: () => Item): void;
  /** Whether looking for more is of no use. */
  enough(): boolean;
  count(): number;
  /** As they are told, the last being how many more there are. */
  told(): Item[];
};
export type Problems = Told<Issue>;

export const createProblems = (): Problems =>
  createTold<Issue>((msg) => ({ loc: ['body'], msg, type: 'more' }));

/** @param rest what tells of those that are not told, in these words */
export function createTold<Item>(rest: (words: string) => Item): Told<Item> {
  const items: Item[] = [];
  let count = 0;
  return {
    add(item) {
      if (items.length < MAX_REPORTED) items.push(item());
      count += 1;
    },
    enough: () => count >= MAX_COUNTED,
    count: () => count,
    told() {
      const more = count - items.length;
      if (more === 0) return items;
      const number = `${count >= MAX_COUNTED ? 'at least ' : ''}${more.toLocaleString('en')}`;
      return [...items, rest(`… and ${number} more`)];
    },
  };
}
