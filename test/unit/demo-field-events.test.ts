import { describe, expect, test } from 'vitest';
import { type HighJumpTrial, nextOver } from '../../src/demo/high-jump.ts';
import { type LongJumpTrial, nextJumper } from '../../src/demo/long-jump.ts';
import { finishedMeeting, meetingUnderWay } from '../../src/demo/meetings.ts';
import { seeded } from '../../src/demo/random.ts';
import { highJumpSteps, longJumpSteps, sprintSteps, type Step } from '../../src/demo/steps.ts';

const over = (height: string, series: Record<string, string>): HighJumpTrial[] =>
  Object.entries(series).flatMap(([bib, signs]) =>
    signs.split('').map((sign) => ({ bib, height, result: sign as HighJumpTrial['result'] })),
  );
const jumps = (bib: string, ...marks: string[]): LongJumpTrial[] =>
  marks.map((result, index) => ({ bib, round: index + 1, result, wind: '0.0' }));
const take = (steps: Generator<Step, never>, count: number) =>
  Array.from({ length: count }, () => steps.next().value);

describe('a high jump', () => {
  test('goes on with those who have neither cleared nor passed the height, in their order', () => {
    const order = ['a', 'b', 'c'];
    const first = over('1.90', { a: 'x', b: 'o', c: '-' });
    expect(nextOver(order, first)).toEqual({ bib: 'a', height: '1.90' });
    expect(nextOver(order, [...first, ...over('1.90', { a: 'o' })])).toEqual({ bib: 'a', height: '1.95' });
    expect(nextOver(order, over('1.90', { a: 'xxx', b: 'xxx', c: 'xxx' }))).toBeNull();
  });
});

describe('a long jump', () => {
  test('goes on after three rounds with the best eight, the leader last', () => {
    const order = 'abcdefghi'.split('');
    const trials = order.flatMap((bib, index) => jumps(bib, `6.${index}0`, 'x', 'x'));
    expect(nextJumper(order, trials)).toEqual({ bib: 'b', round: 4 });
    const finalists = 'bcdefghi'.split('').map((bib) => ({ bib, round: 4, result: 'x', wind: '0.0' }));
    expect(nextJumper(order, [...trials, ...finalists.slice(0, 7)])).toEqual({ bib: 'i', round: 4 });
    expect(nextJumper(order, [...trials, ...finalists])).toEqual({ bib: 'b', round: 5 });
  });
});

describe('the meeting under way', () => {
  test.each([longJumpSteps, highJumpSteps])(
    'records one attempt at a time and starts again when over',
    (steps) => {
      const taken = take(steps(seeded(7)), 2000);
      const ends = taken.flatMap(({ body }, index) => ('trials' in body ? [index] : []));
      expect(ends.length).toBeGreaterThan(5);
      for (const end of ends) {
        expect(taken[end]).toMatchObject({
          method: 'PATCH',
          body: { results_status: 'in_progress', trials: [] },
        });
        expect(taken[end - 1]).toMatchObject({
          method: 'PATCH',
          body: { results_status: 'official_results' },
        });
      }
      const attempts = taken.filter(({ path }) => path.endsWith('/attempts'));
      expect(attempts).toHaveLength(taken.filter(({ method }) => method === 'POST').length);
      expect(attempts.length).toBeGreaterThan(1900);
    },
  );

  test('runs heats and a final of the fastest eight, each in progress before it has results', () => {
    type Sprint = { events: { units: { results_status: string; results: object[] }[] }[] };
    const units = take(sprintSteps(seeded(7)), 16).map(({ body }) => (body as Sprint).events[0]!.units[0]!);
    expect(units.map(({ results_status: status }) => status)).toEqual(
      Array.from({ length: 8 }, () => ['in_progress', 'provisional_results']).flat(),
    );
    expect(units[7]?.results).toHaveLength(8);
  });
});

test('the finished meeting is complete and the same at every start', () => {
  const now = new Date('2026-06-10T12:00:00Z');
  const meeting = finishedMeeting(now);
  expect(meeting).toEqual(finishedMeeting(now));
  expect(meeting.date).toBe('2026-06-03');
  const units = meeting.events.flatMap(
    (event) => event.units as { results_status: string; results: object[] }[],
  );
  expect(units).toHaveLength(7);
  for (const unit of units) {
    expect(unit.results_status).toBe('official');
    expect(unit.results.every((result) => 'performance' in result)).toBe(true);
  }
});

test('the meeting under way has something to see in events that are not played', () => {
  const meeting = meetingUnderWay(new Date('2026-06-10T12:00:00Z'));
  const results = (eventId: string) => {
    const event = meeting.events.find(({ event_id }) => event_id === eventId)!;
    return (event.units as { results?: Record<string, unknown>[] }[])[0]?.results ?? [];
  };
  expect(results('T03')[0]).toMatchObject({
    place: 1,
    performance: expect.stringMatching(/^3:\d\d\.\d\d$/),
    splits: [{ distance: 400 }, { distance: 800 }, { distance: 1200 }],
  });
  expect(results('M01-1')).toHaveLength(6);
  expect(results('X01').map(({ bib }) => bib)).toHaveLength(4);
  const parts = meeting.events.filter((event) => 'parent' in event && event.parent === 'M01');
  expect(parts).toHaveLength(3);
  const milers = meeting.competitors.filter(({ events_entered: entered }) =>
    entered.some(({ event_id }) => event_id === 'T03'),
  );
  expect(milers).toHaveLength(10);
});
