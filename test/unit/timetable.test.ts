// The timetable of a competition: its units by day and hour, however their times were written.
import { expect, test } from 'vitest';
import { type EventHead, listed, type UnitHead } from '../../src/pages/unit/heads.ts';
import { timetable } from '../../src/pages/unit/timetable.ts';

const EVENT: EventHead = {
  eventId: 'S',
  eventCode: '100',
  name: '100 m',
  parent: null,
  rounds: '6,2,1',
  record: { r2_day: '2', r3_time: '17:00', r3_day: 2 },
};

const heat = (number: number, time: string | null, fields: Partial<UnitHead> = {}): UnitHead => ({
  eventId: 'S',
  round: 1,
  heat: number,
  status: '',
  resultsStatus: 'seeded',
  heatName: null,
  time,
  day: null,
  ...fields,
});

const shown = (heads: UnitHead[], firstDay = '2026-07-18') =>
  timetable(listed([EVENT], heads), firstDay).map(
    ({ date, entries }) => `${date}: ${entries.map(({ unit }) => `${unit.time} ${unit.name}`).join(', ')}`,
  );

test('heats of the same time stand in the order of their event, whether it says 9:05 or 09:05', () => {
  const heats = [heat(1, '15:45'), heat(2, '09:05'), heat(3, '9:05'), heat(4, '09:05'), heat(5, '8:59')];
  expect(shown(heats)).toEqual([
    '2026-07-18: 8:59 Heat 5, 09:05 Heat 2, 9:05 Heat 3, 09:05 Heat 4, 15:45 Heat 1',
  ]);
});

test('a unit takes place on its own day, else on that of its round, else on the one that its time names', () => {
  const heads = [
    heat(1, '10:00', { day: '3' }),
    heat(1, '9:00', { round: 2 }),
    heat(2, '2026-07-18T09:30:00', { round: 2 }),
    heat(1, null, { round: 3 }),
    heat(6, null),
  ];
  expect(shown(heads)).toEqual([
    '2026-07-18: 2026-07-18T09:30:00 Semi-final 2',
    '2026-07-19: 9:00 Semi-final 1, 17:00 Final',
    '2026-07-20: 10:00 Heat 1',
  ]);
});

test('the days of a meeting go on over the end of a month, and of a year', () => {
  const heads = [heat(1, '9:00'), heat(2, '9:00', { day: '2' })];
  expect(shown(heads, '2026-12-31')).toEqual(['2026-12-31: 9:00 Heat 1', '2027-01-01: 9:00 Heat 2']);
});
