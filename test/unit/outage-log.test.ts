import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createOutageLog } from '../../src/outage-log.ts';

function world() {
  const lines: string[] = [];
  const clock = { now: new Date('2026-06-01T12:00:00.000Z') };
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const says = { begins: 'begins', lasts: 'lasts', ends: 'ends' };
  const outage = createOutageLog({ log, now: () => clock.now, level: 'error', says, counted: 'tries' });
  const failAfter = (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1000);
    outage.failed({ why: 'away' });
  };
  const told = () =>
    lines.splice(0).map((line) => {
      const { level, msg, why, seconds, tries } = JSON.parse(line) as Record<string, unknown>;
      return [level, msg, why, seconds, tries];
    });
  return { outage, failAfter, told };
}

it('tells of the first failure at once, of later ones each minute, and of the end with the length of it all', () => {
  const { outage, failAfter, told } = world();
  for (const seconds of [0, 59, 1, 59, 1, 600]) failAfter(seconds);
  expect(outage.succeeded()).toBe(true);
  expect(told()).toEqual([
    [50, 'begins', 'away', undefined, undefined],
    [50, 'lasts', 'away', 60, 3],
    [50, 'lasts', 'away', 120, 5],
    [50, 'lasts', 'away', 720, 6],
    [40, 'ends', undefined, 720, 6],
  ]);
});

it('says nothing of successes while all is well, and counts the next outage from its own begin', () => {
  const { outage, failAfter, told } = world();
  expect(outage.succeeded()).toBe(false);
  failAfter(0);
  outage.succeeded();
  outage.succeeded();
  failAfter(100);
  outage.succeeded();
  expect(told().map(([, msg, , seconds, tries]) => [msg, seconds, tries])).toEqual([
    ['begins', undefined, undefined],
    ['ends', 0, 1],
    ['begins', undefined, undefined],
    ['ends', 0, 1],
  ]);
});

it('leaves the rest to others when told to', () => {
  const { outage, failAfter, told } = world();
  failAfter(0);
  outage.forget();
  outage.succeeded();
  expect(told()).toHaveLength(1);
});
