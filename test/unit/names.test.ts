import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { freeSlug, nameKey, RESERVED_SLUGS, slugOf } from '../../src/competitions/names.ts';
import { parseRounds } from '../../src/units/rules/rounds.ts';

const SLUG = /^[a-z0-9][a-z0-9_-]{0,79}$/;
const anyText = fc.string({ unit: 'binary', maxLength: 200 });

test('a slug can be made of any name', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const slug = slugOf(name, '2026-06-13');
      expect(slug).toMatch(SLUG);
    }),
  );
});

test('of a name that is a reserved word it is made of the day', () => {
  expect([...RESERVED_SLUGS]).toEqual(['json', 'csv', 'ics']);
  for (const name of ['JSON', ' csv ', 'Ics!'])
    expect(slugOf(name, '2026-06-13')).toBe('competition-2026-06-13');
  expect(slugOf('CSV Meeting', '2026-06-13')).toBe('csv-meeting');
});

test('a free slug is a valid one that nobody has', () => {
  const slugs = fc.stringMatching(SLUG);
  fc.assert(
    fc.property(slugs, fc.nat(30), (slug, others) => {
      const taken = new Set([slug]);
      for (let n = 0; n < others; n += 1) taken.add(freeSlug(slug, taken));
      const free = freeSlug(slug, taken);
      expect(taken.size).toBe(others + 1);
      expect(taken.has(free)).toBe(false);
      expect(free).toMatch(SLUG);
    }),
  );
});

test('two spellings of one name have one key', () => {
  const names = fc.string({
    unit: fc.constantFrom(...Array.from('aÄßſİıǅΣςﬁ①é\u0301 \u00a0\u3000Ωk')),
    maxLength: 8,
  });
  fc.assert(
    fc.property(names, (name) => {
      const key = nameKey(name);
      expect(nameKey(key)).toBe(key);
      expect(nameKey(`  ${name}\n`)).toBe(key);
      expect(nameKey(name.normalize('NFD'))).toBe(key);
    }),
  );
});

test('rounds are read back as they were written', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(counts, fc.constantFrom(',', ' , ', ', '), (heats, comma) => {
      expect(parseRounds(heats.join(comma))).toEqual(heats);
    }),
  );
});

test('text that is no list of heats is not read as one', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const heats = parseRounds(text) ?? [];
      expect(heats.every((count) => Number.isInteger(count) && count > 0)).toBe(true);
    }),
  );
});
