import { describe, expect, test } from 'vitest';
import { createInFlight } from '../../src/http/bodies-in-flight.ts';
import { extentOf, findBodyFaults } from '../../src/http/body-faults.ts';
import { createProblems } from '../../src/http/problems.ts';

const extent = (json: string) => extentOf(Buffer.from(json), 4);

describe('the extent of a text', () => {
  test.for<[string, ReturnType<typeof extent>]>([
    ['{"a":[1,2,3],"b":"[,,,\\"[["}', { items: 3, fields: 2, deep: false }],
    ['[[],[],[[1,2]]]', { items: 8, fields: 0, deep: false }],
    ['{"a":{"b":1,"c":2,"d":[{"e":1}]}}', { items: 1, fields: 3, deep: false }],
    ['[[[[1]]]]', { items: 4, fields: 0, deep: false }],
    ['[[[[[1]]]]]', { items: 5, fields: 0, deep: true }],
    [']]]]}}}}["never ended', { items: 1, fields: 0, deep: false }],
  ])('%s', ([json, expected]) => expect(extent(json)).toEqual(expected));
});

test('faults of a body come in its order, each with a path of its own, the hundredth being the last that is told', () => {
  const problems = createProblems();
  const body = { list: Array.from({ length: 10_000 }, () => ['\u0000']), __proto__x: 1 };
  findBodyFaults(body, 32, problems);
  const told = problems.told();
  expect(told).toHaveLength(101);
  expect(told[1]?.loc).toEqual(['body', 'list', 1, 0]);
  expect(told.at(-1)).toEqual({ loc: ['body'], msg: '… and at least 9,900 more', type: 'more' });
});

test('what is under way is bounded for an address and in all, and comes free when it is answered', () => {
  const hold = createInFlight({ totalBytes: 15, addressBytes: 10 });
  const [first, second, third] = [hold('a'), hold('a'), hold('b')];
  first.add(6);
  expect(() => second.check(5)).toThrow('from one address');
  second.add(4);
  expect(() => third.add(6)).toThrow('under way');
  third.add(5);
  first.release();
  first.release();
  second.add(6);
  expect(() => third.check(1)).toThrow('under way');
});
