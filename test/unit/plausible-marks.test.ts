import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { crossFieldIssues } from '../../src/competitions/rules.ts';
import { implausibleMarks } from '../../src/units/rules/marks-of-unit.ts';
import { markJudge } from '../../src/units/rules/plausible-marks.ts';

const questionOf = (code: string, mark: unknown) => markJudge(code)?.question?.(mark);
const doubted = (code: string, mark: unknown) => markJudge(code)?.doubt(mark) !== undefined;

describe('a mark without its decimal point is asked back', () => {
  test.for<[string, unknown, string]>([
    ['LJ', '612', '6.12'],
    ['lj', 612, '6.12'],
    ['LJ', ' 61 ', '6.10'],
    ['TJ', '1420', '14.20'],
    ['HJ', '160', '1.60'],
    ['PV', '455', '4.55'],
    ['SP7.26K', '1876', '18.76'],
    ['JT800', '6120', '61.20'],
    ['DT', '812', '8.12'],
  ])('%s %j: is %s meant?', ([code, mark, meant]) => {
    expect(questionOf(code, mark)).toMatch(
      new RegExp(`^\\d+ cannot be a mark in metres of ${code.toUpperCase()}: is ${meant} meant\\?$`),
    );
  });

  test('without a guess where none would be a mark', () => {
    expect(questionOf('HJ', '9'.repeat(50))).toBe(
      '99999999999999999999 cannot be a mark in metres of HJ: a decimal point seems to be missing',
    );
  });

  test.for<[string, unknown]>([
    ['JT', '61'],
    ['SP', 20],
    ['HJ', '2'],
    ['LJ', '6.12'],
    ['LJ', '61,2'],
    ['LJ', '0'],
    ['LJ', 'x'],
    ['LJ', null],
    ['LJ', { toString: 1 }],
    ['100', '1045'],
    ['DEC', '8893'],
    ['BT', '612'],
    ['H3', '612'],
  ])('%s %j is not', ([code, mark]) => {
    expect(questionOf(code, mark)).toBeUndefined();
  });
});

describe('a doubt is raised about', () => {
  test.for<[string, unknown]>([
    ['LJ', '61.2'],
    ['LJ', '0.00'],
    ['SP', 0],
    ['HJ', '16,0'],
    ['PV', '0.45'],
    ['100', '9:00'],
    ['100', '9:00.00'],
    ['100', 1045],
    ['100', '7.9'],
    ['800', '2:00:83'],
    ['3000', '14.30'],
    ['110H', '1:55.5h'],
    ['60H76.2cm8m', '0'],
    ['3000SC', '83.01'],
    ['20KW', '35:00'],
    ['10K', '2.45'],
    ['MAR', '1:05:00'],
    ['HM', '45:00'],
    ['4x100', '9.58'],
    ['4X400', '1:00:00'],
  ])('%s %s', ([code, mark]) => {
    expect(doubted(code, mark)).toBe(true);
  });

  test('with the limits in it', () => {
    expect(markJudge('lj')!.doubt('61.2')).toBe(
      '61.2 is not plausible for LJ, whose marks lie between 0.30 and 9.90',
    );
    expect(markJudge('MAR')!.doubt('9')).toBe(
      '9 is not plausible for MAR, whose times lie between 1:48:27 and 20:05:00',
    );
  });
});

describe('no doubt is raised about', () => {
  test.for<[string, unknown]>([
    // The records, and the oldest and the youngest who compete.
    ['LJ', '8.95'],
    ['JT', '104.80'],
    ['HT', '90.10'],
    ['HJ', '0.60'],
    ['SP', '1.85'],
    ['100', '9.58'],
    ['100', '1:02.95'],
    ['60', '6.34'],
    ['4x100', '36.84'],
    ['4x400', '2:54.29'],
    ['1500', '3:26.00'],
    ['MAR', '2:00:35'],
    ['MAR', '9:30:00'],
    ['50KW', '3:32:33'],
    ['5000W', '18:05.49'],
    // Remarks and codes in place of a mark.
    ['100', 'DNS'],
    ['100', '8:21.67DQ 8:21.67'],
    ['100', '999 Q'],
    // Feet and inches.
    ['LJ', "20' 1"],
    ['LJ', '20-01.50'],
    // Codes without limits: durations, yards, miles, wheelchairs, custom and combined events.
    ['24HR', '250000'],
    ['100Y', '999'],
    ['5M', '1'],
    ['800WC', '1:20.00'],
    ['H3', '612'],
    ['DEC', '9126'],
    ['4xRELAY', '1'],
    ['0x100', '1'],
    ['constructor', '1'],
    ['', '612'],
  ])('%s %s', ([code, mark]) => {
    expect(doubted(code, mark)).toBe(false);
  });
});

test('long texts are judged in one pass', () => {
  const digits = '9'.repeat(100_000);
  for (const code of ['LJ', '100', digits, `${digits}x`, `4x${digits}`, `100H1${digits}`]) {
    for (const mark of [digits, `${digits}.`, `${digits}:${digits}`]) {
      expect(String(markJudge(code)?.doubt(mark)).length).toBeLessThan(200);
    }
  }
});

const folder = process.env['COMPETITION_DATA_DIR'];

test.skipIf(!folder)('real competitions raise neither questions nor doubts', () => {
  type Uploaded = { events: { event_code: string; units?: object[] }[] };
  for (const name of ['rio2016_upload.json', 'full_competition_upload.json']) {
    const body = JSON.parse(readFileSync(join(folder!, name), 'utf8')) as Uploaded;
    expect([...crossFieldIssues(body)]).toEqual([]);
    const doubts = body.events.flatMap(({ event_code: eventCode, units }) =>
      (units ?? []).flatMap((unit) => implausibleMarks({ unit, eventCode, loc: [] })),
    );
    expect(doubts).toEqual([]);
  }
});
