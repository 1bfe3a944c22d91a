import { describe, expect, test } from 'vitest';
import { combinedPoints, type Gender } from '../../src/units/rules/combined-points.ts';

type Card = [gender: Gender, total: number, marks: Record<string, string>];

const RECORDS: Record<string, Card> = {
  'decathlon, 2018: 9126': [
    'M',
    9126,
    {
      '100': '10.55',
      LJ: '7.80',
      SP: '16.00',
      HJ: '2.05',
      '400': '48.42',
      '110H': '13.75',
      DT: '50.54',
      PV: '5.45',
      JT: '71.90',
      '1500': '4:36.11',
    },
  ],
  'decathlon, 2015: 9045': [
    'M',
    9045,
    {
      '100': '10.23',
      LJ: '7.88',
      SP: '14.52',
      HJ: '2.01',
      '400': '45.00',
      '110H': '13.69',
      DT: '43.34',
      PV: '5.20',
      JT: '63.63',
      '1500': '4:17.52',
    },
  ],
  'indoor heptathlon, 2012: 6645': [
    'M',
    6645,
    { '60': '6.79', LJ: '8.16', SP: '14.56', HJ: '2.03', '60H': '7.68', PV: '5.20', '1000': '2:32.77' },
  ],
  'heptathlon, 1988: 7291': [
    'F',
    7291,
    {
      '100H': '12.69',
      HJ: '1.86',
      SP: '15.80',
      '200': '22.56',
      LJ: '7.27',
      JT: '45.66',
      '800': '2:08.51',
    },
  ],
  'indoor pentathlon, 2012: 5013': [
    'F',
    5013,
    { '60H': '8.38', HJ: '1.84', SP: '16.51', LJ: '6.57', '800': '2:11.15' },
  ],
  'women’s decathlon, 2005: 8358': [
    'F',
    8358,
    {
      '100': '12.49',
      LJ: '6.12',
      SP: '16.42',
      HJ: '1.78',
      '400': '57.19',
      '100H': '14.22',
      DT: '46.19',
      PV: '3.10',
      JT: '48.78',
      '1500': '5:15.86',
    },
  ],
};

describe('the marks of a record come to the points of the record', () => {
  test.for(Object.entries(RECORDS))('%s', ([, [gender, total, marks]]) => {
    const points = Object.entries(marks).map(([code, mark]) => combinedPoints(gender, code, mark)!);
    expect(points.reduce((sum, one) => sum + one, 0)).toBe(total);
  });
});

describe('single marks', () => {
  test.for<[Gender, string, string, number | null]>([
    ['M', '110H', '14.01', 973],
    ['M', '110H', '14.00', 975],
    ['F', 'HJ', '1.93', 1145],
    ['F', 'JT', '41.68', 700],
    ['M', 'PV', '6.16', 1284],
    ['M', 'WT', '1.53', 1],
    ['M', '1000', '2:30.00', 988],
    ['F', '10000', '40:00.00', 915],
    // Less than the tables begin with.
    ['M', 'LJ', '0.50', 0],
    ['M', '100', '45.00', 0],
    // Codes in any letter case, with their implement or hurdles.
    ['F', 'lj', '6.50', 1007],
    ['F', 'SP4K', '15.80', 915],
    ['M', 'SP7.26K', '16.00', 851],
    ['F', 'JT600', '41.68', 700],
    ['M', '110H36', '14.00', 975],
    // A decimal comma, a suffix, seconds alone, and thousandths, which count up.
    ['M', 'LJ', '7,80', 1010],
    ['M', 'LJ', '7.80w', 1010],
    ['M', '1500', '276.11', 705],
    ['M', '110H', '14.001', 973],
  ])('%s %s %s: %j', ([gender, code, mark, points]) => {
    expect(combinedPoints(gender, code, mark)).toBe(points);
  });

  test.for<[string, string, string]>([
    ['100', '10.9h', '11.14'],
    ['100', '10.9', '11.14'],
    ['110H', '14.5h', '14.74'],
    ['400', '48.0', '48.14'],
    ['1500', '4:36.1', '4:36.10'],
  ])('%s m in %s by hand count as %s', ([code, byHand, electronic]) => {
    expect(combinedPoints('M', code, byHand)).toBe(combinedPoints('M', code, electronic));
  });

  test.for(['DNF', 'DNS', 'dq', 'DQ R 163.3a', 'NM', 'NH'])('%s: nothing', (mark) => {
    expect(combinedPoints('M', mark === 'NH' ? 'PV' : '100', mark)).toBe(0);
  });

  test.for([
    ['M', '80H', '12.00'],
    ['F', '110H', '14.00'],
    ['M', 'DEC', '8000'],
    ['M', '', '12.00'],
    ['M', 'constructor', '12.00'],
    ['M', '100', 'later'],
    ['M', 'LJ', 'x'],
    ['M', 'LJ', ''],
  ] as const)('%s %s %s: no points at all', ([gender, code, mark]) => {
    expect(combinedPoints(gender, code, mark)).toBeNull();
  });
});
