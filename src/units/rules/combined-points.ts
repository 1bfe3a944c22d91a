// Points of combined events by the tables of World Athletics: A·|mark − Z|^X, rounded down. Pure.
import { parseMetres } from './marks.ts';

export type Gender = 'M' | 'F';

/** Of a race in seconds, a jump in centimetres, a throw in metres. */
type Coefficients = [a: number, z: number, x: number];

type Table = Record<'races' | 'jumps' | 'throws', Record<string, Coefficients>>;

const MEN: Table = {
  races: {
    '60': [58.015, 11.5, 1.81],
    '100': [25.4347, 18, 1.81],
    '200': [5.8425, 38, 1.81],
    '400': [1.53775, 82, 1.81],
    '800': [0.13279, 235, 1.85],
    '1000': [0.08713, 305.5, 1.85],
    '1500': [0.03768, 480, 1.85],
    '3000': [0.0105, 1005, 1.85],
    '5000': [0.00419, 1680, 1.85],
    '10000': [0.000415, 4245, 1.9],
    '60H': [20.5173, 15.5, 1.92],
    '110H': [5.74352, 28.5, 1.92],
    '200H': [3.495, 45.5, 1.81],
    '400H': [1.1466, 92, 1.81],
    '3000SC': [0.00511, 1155, 1.9],
  },
  jumps: {
    HJ: [0.8465, 75, 1.42],
    PV: [0.2797, 100, 1.35],
    LJ: [0.14354, 220, 1.4],
    TJ: [0.06533, 640, 1.4],
  },
  throws: {
    SP: [51.39, 1.5, 1.05],
    DT: [12.91, 4, 1.1],
    HT: [13.0941, 5.5, 1.05],
    JT: [10.14, 7, 1.08],
    WT: [47.8338, 1.5, 1.05],
  },
};

const WOMEN: Table = {
  races: {
    '60': [46.0849, 13, 1.81],
    '100': [17.857, 21, 1.81],
    '200': [4.99087, 42.5, 1.81],
    '400': [1.34285, 91.7, 1.81],
    '800': [0.11193, 254, 1.88],
    '1500': [0.02883, 535, 1.88],
    '3000': [0.00683, 1150, 1.88],
    '5000': [0.00272, 1920, 1.88],
    '10000': [0.000369, 4920, 1.88],
    '60H': [20.0479, 17, 1.835],
    '100H': [9.23076, 26.7, 1.835],
    '200H': [2.975, 52, 1.81],
    '400H': [0.99674, 103, 1.81],
    '3000SC': [0.00408, 1320, 1.9],
  },
  jumps: {
    HJ: [1.84523, 75, 1.348],
    PV: [0.44125, 100, 1.35],
    LJ: [0.188807, 210, 1.41],
    TJ: [0.08559, 600, 1.41],
  },
  throws: {
    SP: [56.0211, 1.5, 1.05],
    DT: [12.331, 3, 1.1],
    HT: [13.3174, 5, 1.05],
    JT: [15.9803, 3.8, 1.04],
    WT: [44.2593, 1.5, 1.05],
  },
};

const TABLES: Record<Gender, Table> = { M: MEN, F: WOMEN };

/** Nothing was achieved, and that is final; a rule may follow ("DQ R 163.3a"). */
const WITHOUT_MARK = /^(?:DNS|DNF|DQ|NM|NH|NT)\b/i;

/**
 * The points of a performance as it is shown: "10.55", "4:36.11", "7.80", "10.9h". 0 without a mark (DNF, NM).
 * Null when it cannot be read, and for disciplines without a table.
 */
export function combinedPoints(gender: Gender, eventCode: string, performance: string): number | null {
  const code = tableCode(eventCode);
  const { races, jumps, throws } = TABLES[gender];
  const coefficients = races[code] ?? jumps[code] ?? throws[code];
  if (!coefficients) return null;
  const text = performance.trim();
  if (WITHOUT_MARK.test(text)) return 0;
  if (code in races) {
    const hundredths = raceHundredths(text, code);
    return hundredths === null ? null : points(coefficients, (coefficients[1] * 100 - hundredths) / 100);
  }
  const metres = parseMetres(text.replace(MARK_SUFFIX, ''));
  if (metres === undefined) return null;
  const centimetres = Math.round(Number(metres) * 100);
  const [, z] = coefficients;
  return points(coefficients, code in jumps ? centimetres - z : (centimetres - z * 100) / 100);
}

const points = ([a, , x]: Coefficients, beyond: number): number =>
  beyond > 0 ? Math.floor(a * beyond ** x) : 0;

// Wind, altitude and the like behind a mark: "7.27w", "2.30A".
const MARK_SUFFIX = /\s*[A-Za-z*]+$/;

// Implements and hurdles may be named: SP7.26K, JT800, 110H36, 60H76.2cm8m.
function tableCode(eventCode: string): string {
  const code = eventCode.trim().toUpperCase();
  const [, throwing] = /^(SP|DT|HT|JT|WT)\d+(?:\.\d+)?K?$/.exec(code) ?? [];
  const [, hurdles] = /^(\d+H)\d/.exec(code) ?? [];
  return throwing ?? hurdles ?? code;
}

const TIME = /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,3})(?:[.,](\d{1,4}))?\s*([A-Za-z*]*)$/;

/** A time in hundredths, rounded up; one taken by hand as if it had been taken electronically. */
function raceHundredths(text: string, code: string): number | null {
  const [found, hours = '0', minutes = '0', seconds = '0', decimals = '', suffix = ''] =
    TIME.exec(text) ?? [];
  if (found === undefined) return null;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const shown = whole * 100 + Math.ceil(Number(decimals.padEnd(4, '0')) / 100);
  // By hand times are taken to the tenth.
  const byHand = decimals.length === 1 || /h/i.test(suffix);
  return byHand ? shown + handTiming(Number.parseInt(code, 10)) : shown;
}

/** What a stopwatch is late by, as the tables allow for it. */
function handTiming(metres: number): number {
  if (metres > 400) return 0;
  return metres === 400 ? 14 : 24;
}
