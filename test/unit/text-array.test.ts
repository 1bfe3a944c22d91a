import { expect, test } from 'vitest';
import { textArray } from '../../src/db/text-array.ts';

test('texts become the binary form of a Postgres array: header, then each with its length in bytes', () => {
  const bytes = textArray(['a', 'é']);
  const header = '00000001 00000000 00000019 00000002 00000001';
  const elements = '00000001 61 00000002 c3a9';
  expect(bytes.toString('hex')).toBe(`${header} ${elements}`.replaceAll(' ', ''));
});

test('null has the length -1, and the header says that there is one', () => {
  const bytes = textArray([null, '']);
  expect(bytes.readInt32BE(4)).toBe(1);
  expect(bytes.toString('hex', 20)).toBe('ffffffff00000000');
});
