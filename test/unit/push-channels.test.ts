import { assert, constantFrom, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { channelRoot, overviewChannel, unitChannel, unitPath } from '../../src/push/channels.ts';

const address = { year: 2026, countryId: 'GBR', slug: 'loughborough-open' };
const channelOf = (eventId: string) => unitChannel(address, { eventId, round: 1, heat: 2 });
const escapedPart = (eventId: string) =>
  channelOf(eventId).slice('x-2026-GBR-loughborough-open-overview-'.length, -'-1-2'.length);

const anyEventId = string({ unit: 'binary', minLength: 1, maxLength: 64 });

test('the channels of a competition follow from its page path', () => {
  expect(channelRoot(address)).toBe('x-2026-GBR-loughborough-open');
  expect(overviewChannel(address)).toBe('x-2026-GBR-loughborough-open-overview');
  expect(channelOf('T01')).toBe('x-2026-GBR-loughborough-open-overview-T01-1-2');
});

test.each([
  ['100m', '100m'],
  ['a_@,.;-', 'a_@,.;-'],
  ['4x100 m', '4x100=20m'],
  ['a=b', 'a=3Db'],
  ['å', '=C3=A5'],
  ['a'.repeat(48), 'a'.repeat(48)],
  ['a'.repeat(49), `${'a'.repeat(32)}-8f9bec6a62dd`],
])('event id %j is escaped as %j', (eventId, escaped) => {
  expect(escapedPart(eventId)).toBe(escaped);
});

test('a long escaped event id is cut between escapes, never inside one', () => {
  const eventId = `ab${'å'.repeat(20)}`;
  expect(escapedPart(eventId)).toMatch(/^ab(=C3=A5){5}-[0-9a-f]{12}$/);
  expect(escapedPart(`a${'å'.repeat(20)}`)).toMatch(/^a(=C3=A5){5}-[0-9a-f]{12}$/);
});

test('event ids that share their first 32 characters have different channels', () => {
  const start = 'x'.repeat(60);
  expect(channelOf(`${start}1`)).not.toBe(channelOf(`${start}2`));
});

test('any event id gives a name a push server accepts', () => {
  const longest = { year: 2026, countryId: 'GBR', slug: 's'.repeat(80) };
  assert(
    property(anyEventId, integer({ min: 1, max: 1000 }), (eventId, round) => {
      const channel = unitChannel(longest, { eventId, round, heat: 1000 });
      expect(channel).toMatch(/^[A-Za-z0-9_\-=@,.;]+$/);
      expect(channel.length).toBeLessThanOrEqual(164);
    }),
  );
});

test('event ids of allowed characters appear verbatim', () => {
  const chars = 'ABCxyz019_@,.;-'.split('');
  assert(
    property(string({ unit: constantFrom(...chars), minLength: 1, maxLength: 48 }), (eventId) => {
      expect(escapedPart(eventId)).toBe(eventId);
    }),
  );
});

test('different event ids have different channels', () => {
  const tricky = string({ unit: constantFrom('a', '=', '3', 'D', '-', ' ', 'å'), maxLength: 64 });
  assert(
    property(tricky, tricky, (one, other) => {
      expect(channelOf(one) === channelOf(other)).toBe(one === other);
    }),
    { numRuns: 1000 },
  );
});

test('the path of a unit is recovered from its channel', () => {
  assert(
    property(anyEventId, constantFrom('open', 'a-overview-b', 'x-2026-GBR-x', '10_000m'), (eventId, slug) => {
      const unit = { eventId, round: 3, heat: 14 };
      const path = `/x/2026/GBR/${slug}/event/${encodeURIComponent(eventId)}/3/14/json/`;
      expect(unitPath(unitChannel({ ...address, slug }, unit), unit)).toBe(path);
    }),
  );
});

test('a channel that is not the unit’s gives no path', () => {
  const unit = { eventId: 'T01', round: 1, heat: 1 };
  expect(unitPath('x-2026-GBR-open-overview', unit)).toBeUndefined();
  expect(unitPath('x-2026-GBR-open-overview-T02-1-1', unit)).toBeUndefined();
  expect(unitPath('-overview-T01-1-1', unit)).toBeUndefined();
});
