// Growth of the time that hostile input takes: with four times the input about four times the time, not sixteen.
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  CompetitionUpdate,
  country,
  ListQuery,
  SentCompetitor,
  SentRelayTeam,
} from '../../src/competitions/schemas.ts';
import { crossFieldIssues } from '../../src/competitions/rules.ts';
import { nameKey, slugOf } from '../../src/competitions/names.ts';
import { day, integer, optionalGuid, optionalLink, optionalNumber } from '../../src/http/schemas.ts';
import { parseMetres, parseSymbol } from '../../src/units/rules/marks.ts';
import { isHorizontal, isRelay, shownCode } from '../../src/units/rules/disciplines.ts';
import { parseRounds } from '../../src/units/rules/rounds.ts';
import { horizontalStandings, verticalStandings } from '../../src/units/rules/standings.ts';
import { marksAtHeights } from '../../src/units/rules/attempts.ts';
import { SentTrial, SentUnit } from '../../src/units/schemas.ts';
import { CHANNEL_NAME } from '../../src/push/server/protocol.ts';
import { byLength } from '../helpers/length.ts';

const RUNS = byLength(2, 5);

/** The least of several runs, in time of the processor: on a busy machine that of the clock is mostly waiting. */
function leastMs(run: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

const NOISE_MS = 5;
const TRIES = 4;
// Four would be linear, sixteen quadratic.
const MOST = 10;

/**
 * How many times longer four times the size takes, noise apart. What seems too much is measured again: a garbage collection or
 * a neighbour on the processor does not come back each time, a square does.
 */
function growth(run: (size: number) => unknown, size: number): number {
  run(size);
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least >= MOST; tries++) {
    const small = leastMs(() => run(size));
    least = Math.min(least, leastMs(() => run(4 * size)) / (small + NOISE_MS / 10));
  }
  return least;
}

const TEXTS: Record<string, (length: number) => string> = {
  digits: (length) => `${'1'.repeat(length)}x`,
  'digits with a point': (length) => `${'1'.repeat(length / 2)}.${'1'.repeat(length / 2)}x`,
  spaces: (length) => `${' '.repeat(length)}x`,
  'spaces inside': (length) => `1${' '.repeat(length)}x`,
  commas: (length) => '1,'.repeat(length / 2),
  letters: (length) => `${'a'.repeat(length)}!`,
  'dots and hyphens': (length) => `${'-.'.repeat(length / 2)}!`,
  hex: (length) => `${'0123-'.repeat(length / 5)}!`,
  address: (length) => `http://${'a.'.repeat(length / 2)}`,
};

const field = (schema: z.ZodType) => (text: string) => schema.safeParse(text);
const READERS: Record<string, (text: string) => unknown> = {
  integer: field(integer(1, 1000)),
  number: field(optionalNumber(0, 1)),
  day: field(day),
  guid: field(optionalGuid),
  link: field(optionalLink),
  country: field(country),
  'since when': (text) => ListQuery.safeParse({ updated_since: text, limit: text, offset: text }),
  competition: (text) =>
    CompetitionUpdate.safeParse(
      Object.fromEntries(Object.keys(CompetitionUpdate.shape).map((name) => [name, text])),
    ),
  'rules of an upload': (text) => [
    ...crossFieldIssues({
      date: text,
      finish_date: text,
      year: text,
      events: [{ event_id: text, rounds: text }],
    }),
  ],
  competitor: (text) => SentCompetitor.safeParse({ competitor_id: text, gender: text, date_of_birth: text }),
  'relay team': (text) => SentRelayTeam.safeParse({ relay_team_id: text, event_id: text }),
  unit: (text) => SentUnit.safeParse({ round: text, heat: text, results_status: text }),
  trial: (text) => SentTrial.safeParse({ bib: text, round: text, height: text, jump_off: text }),
  name: nameKey,
  slug: (text) => slugOf(text.slice(0, 250), '2026-01-01'),
  mark: (text) => [parseMetres(text), parseSymbol(text)],
  code: (text) => [isHorizontal(text), isRelay(text), shownCode(text)],
  rounds: parseRounds,
  channel: (text) => CHANNEL_NAME.test(text),
};

describe.for(Object.entries(READERS))('%s of any text', ([, read]) => {
  test.for(Object.entries(TEXTS))('%s', ([, make]) => {
    expect(growth((length) => read(make(length)), 25_000)).toBeLessThan(MOST);
  });
});

const bibs = (count: number) => Array.from({ length: count }, (_, index) => String(index));

const throws = (count: number) =>
  bibs(count).flatMap((bib, index) =>
    [1, 2].map((round) => ({ bib, round, result: ((index * round) % 90).toFixed(2) })),
  );
const jumps = (count: number) =>
  bibs(count).flatMap((bib, index) => [
    { bib, height: '1.80', result: 'o' },
    { bib, height: '1.85', result: index % 3 ? 'x' : 'o' },
    { bib, height: '1.85', result: 'x', jump_off: 1 + (index % 100) },
  ]);

const allMarks = (count: number) => {
  const marksAt = marksAtHeights(jumps(count));
  for (let index = 0; index < 3 * count; index++) marksAt(index);
};

describe('a unit of many', () => {
  test('throws is placed', () => {
    expect(growth((count) => horizontalStandings(throws(count), bibs(count), 6), 4000)).toBeLessThan(MOST);
  });

  test('jumps is placed, whatever number a jump-off has', () => {
    expect(growth((count) => verticalStandings(jumps(count), bibs(count)), 2000)).toBeLessThan(MOST);
    const [winner] = verticalStandings([{ bib: '1', height: '1.80', result: 'o', jump_off: 4e9 }], ['1']);
    expect(winner).toMatchObject({ bib: '1', place: 1 });
  });

  test('jumps has the marks at each height', () => {
    expect(growth(allMarks, 4000)).toBeLessThan(MOST);
  });
});
