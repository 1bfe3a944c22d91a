import { expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { enqueue, takeRevisions } from '../../src/push/enqueue.ts';
import { LatestAttempt, reducedUnits, ResultsArrived, UnitEvent } from '../../src/push/events.ts';

const where = { event_id: 'F01', round_no: 1, heat_no: 1, heat_name: 'Final' };
const who = { bib: '12', athlete_name: 'Jo Doe' };
const unit = {
  ...where,
  event_code: 'HJ',
  event_name: 'High Jump Women',
  round: 1,
  heat: 1,
  status: 'finished',
  results_status: 'official',
  scheduled_start_time: null,
  wind_assistance: null,
  heights: ['1.75', '1.80'],
  results: [{ bib: '12', performance: '1.80', athlete_name: 'Jo Doe', splits: [{ distance: 100 }] }],
  trials: [{ bib: '12', height: '1.80', result: 'o' }],
  revision: 17,
  updated_at: '2026-06-01T12:00:00.000Z',
  channel: 'x-2026-GBR-open-overview-F01-1-1',
};
const url = 'https://example.org/x/2026/GBR/open/event/F01/1/1/json/';

test('results_arrived has the fields of the specification and the revision, and no other', () => {
  const event = { ...where, winner_performance: '1.80', winner_name: 'Jo Doe', revision: 7 };
  expect(ResultsArrived.parse(event)).toEqual(event);
  expect(ResultsArrived.safeParse({ ...event, extra: 1 }).success).toBe(false);
  expect(ResultsArrived.safeParse({ ...event, round_no: '1' }).success).toBe(false);
});

test('latest_attempt has the vertical shape for HJ and PV, the other shape for everything else', () => {
  const horizontal = { ...where, ...who, event_code: 'LJ', round: 3, result: '6.45', revision: 7 };
  const vertical = {
    ...where,
    ...who,
    event_code: 'PV',
    height: '4.20',
    attempts_at_height: 'xo',
    attempt: 2,
    result: 'o',
    revision: 7,
  };
  expect(LatestAttempt.parse(horizontal)).toEqual(horizontal);
  expect(LatestAttempt.parse(vertical)).toEqual(vertical);
  expect(LatestAttempt.safeParse({ ...horizontal, event_code: 'HJ' }).success).toBe(false);
  expect(LatestAttempt.safeParse({ ...vertical, event_code: 'LJ' }).success).toBe(false);
});

test('a reduced unit loses trials and splits, then results, then what the service does not know', () => {
  const steps = reducedUnits(JSON.stringify({ ...unit, officials: ['A. Judge'] }), url).map((text) =>
    UnitEvent.parse(JSON.parse(text)),
  );
  const { trials: _trials, results: _results, ...bare } = unit;
  const results = [{ bib: '12', performance: '1.80', athlete_name: 'Jo Doe' }];
  const marks = { too_large: true, url };
  expect(steps).toEqual([
    { ...bare, results, officials: ['A. Judge'], ...marks },
    { ...bare, officials: ['A. Judge'], ...marks },
    { ...bare, ...marks },
  ]);
});

test('the limit is compared with bytes, not characters', () => {
  const text = JSON.stringify({ ...unit, trials: [], results: [{ athlete_name: 'Ø'.repeat(100) }] });
  const [first = '', second = ''] = reducedUnits(text, url);
  const fitting = (maxBytes: number) =>
    reducedUnits(text, url).find((reduced) => Buffer.byteLength(reduced) <= maxBytes);
  expect(fitting(Buffer.byteLength(first))).toBe(first);
  expect(fitting(Buffer.byteLength(first) - 1)).toBe(second);
  expect(fitting(10)).toBeUndefined();
});

test('events are queued in a transaction only: a pool does not compile', () => {
  expect(neverCalled).toBeTypeOf('function');
});

async function neverCalled(db: Db): Promise<void> {
  // @ts-expect-error a pool commits each statement by itself
  await enqueue(db, []);
  // @ts-expect-error and would lose the lock at once
  await takeRevisions(db, 'id', 1);
}
