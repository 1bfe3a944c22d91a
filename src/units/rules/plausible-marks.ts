// Limits of what a mark of a discipline can be: the records, rounded, with room beyond them for light implements and for the slow. Pure.
import { isField } from './disciplines.ts';
import { secondsOf } from './times.ts';

/** Judges the marks of one event. */
export type MarkJudge = {
  /**
   * The question to ask back about a mark without its decimal point, which nobody may guess; undefined for any other. Times are
   * not asked about.
   */
  question?: (mark: unknown) => string | undefined;
  /** A doubt about a mark that is taken as it is; undefined when there is none. */
  doubt: (mark: unknown) => string | undefined;
};

/** Metres: below the first and above the second figure nobody has been. Codes that are not here are never doubted. */
const FIELD: Record<string, readonly [least: number, most: number]> = {
  HJ: [0.3, 2.7],
  PV: [0.5, 7],
  SHJ: [0.2, 2.1],
  LJ: [0.3, 9.9],
  TJ: [1, 20.2],
  SLJ: [0.2, 4.2],
  STJ: [0.5, 12.5],
  SP: [0.3, 28],
  DT: [0.5, 90],
  HT: [0.5, 100],
  JT: [0.5, 115],
  WT: [0.3, 35],
  SSP: [0.3, 28],
  SDT: [0.5, 90],
  SJT: [0.5, 115],
  SWT: [0.3, 35],
};

/** World's best times, by distance in metres. Hurdles, barriers and walking only make slower; relays have as many legs. */
const BEST_TIMES: readonly (readonly [metres: number, seconds: number])[] = [
  [20, 2],
  [60, 6.3],
  [100, 9.58],
  [200, 19.19],
  [400, 43],
  [800, 100.9],
  [1500, 206],
  [5000, 755],
  [10_000, 1571],
  [42_195, 7230],
  [100_000, 21_900],
];

// Faster than nine tenths of the best nobody is, flying starts of relays included; the oldest sprinters take seven times as long.
const FASTEST = 0.9;
const SLOWEST = 10;

/** Null for a code of which no limits are known: custom events, points, miles and yards, courses without a measured length. */
export function markJudge(eventCode: string): MarkJudge | null {
  const code = eventCode.toUpperCase();
  const limits = isField(code) ? FIELD[/^[A-Z]+/.exec(code)![0]] : undefined;
  if (limits) return { question: metresQuestion(code, limits), doubt: metresDoubt(code, limits) };
  const race = raceOf(code);
  return race && { doubt: timeDoubt(code, race) };
}

const shown = (mark: unknown) => String(mark).trim().slice(0, 20);

const METRES = /^(\d+)(?:[.,]\d+)?$/;

function metresOf(mark: unknown): number | undefined {
  if (typeof mark !== 'string' && typeof mark !== 'number') return undefined;
  const text = String(mark).trim();
  return METRES.test(text) ? Number(text.replace(',', '.')) : undefined;
}

type Limits = readonly [least: number, most: number];

const metresQuestion = (code: string, limits: Limits) => (mark: unknown) => {
  // First what nearly all marks are.
  if (typeof mark === 'string' && mark.includes('.')) return undefined;
  const metres = metresOf(mark);
  if (metres === undefined || metres <= limits[1] || /[.,]/.test(String(mark))) return undefined;
  const meant = pointedMark(metres, limits);
  const question = meant === undefined ? 'a decimal point seems to be missing' : `is ${meant} meant?`;
  return `${shown(mark)} cannot be a mark in metres of ${code}: ${question}`;
};

// Two decimals as a rule; fewer or more where only that makes a mark of ordinary size.
function pointedMark(digits: number, [least, most]: Limits): string | undefined {
  const meant = [100, 10, 1000]
    .map((divisor) => digits / divisor)
    .find((metres) => metres <= most && metres >= Math.max(least, most / 12));
  return meant?.toFixed(2);
}

const metresDoubt =
  (code: string, [least, most]: Limits) =>
  (mark: unknown) => {
    const metres = metresOf(mark);
    if (metres === undefined || (metres >= least && metres <= most)) return undefined;
    return `${shown(mark)} is not plausible for ${code}, whose marks lie between ${least.toFixed(2)} and ${most.toFixed(2)}`;
  };

type Race = { metres: number; legs: number };

// 100, 110H, 60H76.2cm8m, 3000SC, 5000W; 10K, 20KW; 4x100. Not 24HR (a duration), 100Y (yards), 5M (miles), 800WC (wheelchairs).
const TRACK = /^(\d{2,6})(?:H(?:\d[\w.]*)?|SC\d*|W)?$/;
const ROAD = /^(\d{1,3}(?:\.\d{1,3})?)KW?$/;
const RELAY = /^(\d{1,2})X(\d{2,5})H?$/;
const NAMED: Record<string, number> = { MAR: 42_195, HM: 21_097.5 };

function raceOf(code: string): Race | null {
  const relay = RELAY.exec(code);
  if (relay) return raceWithin(Number(relay[2]), Number(relay[1]));
  const road = ROAD.exec(code);
  if (road) return raceWithin(Number(road[1]) * 1000);
  const track = TRACK.exec(code);
  return raceWithin(track ? Number(track[1]) : (Object.hasOwn(NAMED, code) && NAMED[code]) || 0);
}

const raceWithin = (metres: number, legs = 1): Race | null =>
  metres >= BEST_TIMES[0]![0] && metres <= BEST_TIMES.at(-1)![0] && legs > 0 ? { metres, legs } : null;

/** Between two distances of the table times grow by a power of the distance. */
function bestTime(metres: number): number {
  const next = Math.max(
    1,
    BEST_TIMES.findIndex(([distance]) => distance >= metres),
  );
  const [shorter, quicker] = BEST_TIMES[next - 1]!;
  const [longer, slower] = BEST_TIMES[next]!;
  const exponent = Math.log(slower / quicker) / Math.log(longer / shorter);
  return quicker * (metres / shorter) ** exponent;
}

function timeDoubt(code: string, { metres, legs }: Race): (mark: unknown) => string | undefined {
  const best = bestTime(metres) * legs;
  const [fastest, slowest] = [best * FASTEST, best * SLOWEST];
  return (mark) => {
    const seconds = secondsOf(mark);
    if (seconds === undefined || (seconds >= fastest && seconds <= slowest)) return undefined;
    return `${shown(mark)} is not plausible for ${code}, whose times lie between ${clock(fastest)} and ${clock(slowest)}`;
  };
}

/** "8.6", "15:58", "2:05:10": to read, not to compare. */
function clock(seconds: number): string {
  if (seconds < 60) return seconds.toFixed(1);
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const tail = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
