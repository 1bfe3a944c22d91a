import { expect, test } from 'vitest';
import { PUBLIC_COMPETITOR_FIELDS } from '../../src/privacy/public-fields.ts';
import { read } from '../helpers/house.ts';

test('the README lists every field of a competitor that is public', () => {
  const [, list] = /these fields alone: ([^(]*)\(/.exec(read('README.md'))!;
  const names = Array.from(list!.matchAll(/`(\w+)`/g), ([, name]) => name);
  expect(names).toEqual([...PUBLIC_COMPETITOR_FIELDS]);
});
