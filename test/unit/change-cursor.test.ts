// The cursor of the change feed, and the pure rules of who may go on from where and what is told of.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHANGE_TYPES, changeOf, type ChangeRow, isWanted, pathOf } from '../../src/changes/change.ts';
import { CURSOR_EXAMPLE, type Cursor, cursorText, lostSince, parseCursor } from '../../src/changes/cursor.ts';

const EPOCH = '5d0c1f2ab39e';
const LARGEST = 999_999_999_999;
const number = fc.integer({ min: 0, max: LARGEST });
const epoch = fc.stringMatching(/^[0-9a-f]{12}$/);
const cursors: fc.Arbitrary<Cursor> = fc
  .tuple(epoch, number, number)
  .map(([one, a, b]) => ({ epoch: one, number: Math.min(a, b), begun: Math.max(a, b) }));
const at = (n: number, begun = n): Cursor => ({ epoch: EPOCH, number: n, begun });

describe('a cursor', () => {
  it('is read as it was written, whoever holds it and however far it is', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        expect(parseCursor(cursorText(cursor))).toEqual(cursor);
      }),
    );
    expect(parseCursor(CURSOR_EXAMPLE)).toEqual(at(128));
    expect(cursorText(at(7, 30))).toBe(`${EPOCH}-000000000007-000000000030`);
  });

  it('comes later in the order of texts when it comes later in the feed', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [one, other] = [cursorText(at(a)), cursorText(at(b))];
        expect(one < other).toBe(a < b);
      }),
    );
  });

  it('whatever else is sent for one, is none, and that is an answer', () => {
    const near = fc.tuple(cursors, fc.nat(40), fc.string({ unit: 'binary', maxLength: 3 }));
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      near.map(([cursor, where, what]) => {
        const text = cursorText(cursor);
        return text.slice(0, where) + what + text.slice(where);
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseCursor(text);
        if (parsed === null) return;
        expect(parsed.number).toBeLessThanOrEqual(parsed.begun);
        expect(parseCursor(cursorText(parsed))).toEqual(parsed);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a number alone', '128'],
    ['an epoch alone', EPOCH],
    ['a number of fewer digits', `${EPOCH}-128`],
    ['a negative number', `${EPOCH}--00000000128`],
    ['a second number of fewer digits', `${EPOCH}-000000000128-00000000003`],
    ['an epoch in capitals', `${EPOCH.toUpperCase()}-000000000128`],
    ['a blank before it', ` ${CURSOR_EXAMPLE}`],
    ['a line after it', `${CURSOR_EXAMPLE}\n`],
    ['digits of another script', `${EPOCH}-٠٠٠٠٠٠٠٠٠١٢٨`],
    ['an exponent', `${EPOCH}-1e9999999999`],
    ['100 kB of digits', '0'.repeat(100_000)],
    ['100 kB behind an epoch', `${EPOCH}-${'0'.repeat(100_000)}`],
    ['itself over and over', `${CURSOR_EXAMPLE}-`.repeat(3000)],
  ])('is not %s', (_what, text) => {
    expect(parseCursor(text)).toBeNull();
  });
});

describe('a reader', () => {
  const feed = { epoch: EPOCH, last: 100, purged: 40 };

  it.each([
    ['at the end of the feed', at(100)],
    ['where the last forgotten deletion was', at(40)],
    ['who began after it and has come to 3 of what there is', at(3, 60)],
  ])('%s goes on', (_who, cursor) => {
    expect(lostSince(cursor, feed)).toBeNull();
  });

  it.each([
    ['of another epoch', { ...at(50), epoch: '0123456789ab' }, 'another database'],
    [
      'of another epoch, as far as it ever was',
      { ...at(LARGEST), epoch: '0123456789ab' },
      'another database',
    ],
    ['further than the newest change', at(101), 'another database'],
    ['with the largest number there is', at(LARGEST), 'another database'],
    ['who began further than the newest change', at(3, 101), 'another database'],
    ['from before a deletion that is not kept', at(39), 'too old'],
    ['who began before it', at(3, 39), 'too old'],
    ['at the very beginning, of which deletions are forgotten', at(0), 'too old'],
  ])('%s begins anew, and is told why', (_who, cursor, why) => {
    expect(lostSince(cursor, feed)).toContain(why);
  });

  it('of a feed that has forgotten nothing goes on from anywhere in it', () => {
    fc.assert(
      fc.property(cursors, ({ number: n, begun }) => {
        expect(lostSince(at(n, begun), { epoch: EPOCH, last: begun, purged: 0 })).toBeNull();
      }),
    );
  });
});

const ROW: ChangeRow = {
  number: 7,
  type: 'unit',
  competitionId: 'a1b2c3d4-0000-4000-8000-000000000001',
  year: 2026,
  countryId: 'GBR',
  countries: 'GBR FRA',
  slug: 'harbour-town-open',
  eventId: 'T1',
  objectId: '',
  round: 2,
  heat: 3,
  revision: 4711,
  deleted: false,
  updatedAt: '2026-07-18T13:05:27.412Z',
};

describe('a change', () => {
  it('of any object, with any id, leads to an address that is one, below its competition', () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...CHANGE_TYPES), id, id, (type, eventId, objectId) => {
        const path = pathOf({ ...ROW, type, eventId, objectId });
        const url = new URL(path, 'https://results.example.org');
        expect(path).toMatch(/^\/x\/2026\/GBR\/harbour-town-open\/([^/?#]+\/)*json\/$/);
        expect([url.search, url.hash]).toEqual(['', '']);
      }),
    );
  });

  it('tells of the heat by its numbers, and of what it has no part in by nulls', () => {
    expect(changeOf(ROW, { epoch: EPOCH, begun: 0 }, 'https://results.example.org')).toMatchObject({
      cursor: `${EPOCH}-000000000007`,
      event_id: 'T1',
      round_no: 2,
      heat_no: 3,
      competitor_id: null,
      team_id: null,
      relay_team_id: null,
      url: 'https://results.example.org/x/2026/GBR/harbour-town-open/event/T1/2/3/json/',
    });
  });

  it.each([
    [{}, true],
    [{ types: ['unit' as const] }, true],
    [{ types: ['event' as const] }, false],
    [{ types: [] }, false],
    [{ competitionId: ROW.competitionId }, true],
    [{ competitionId: 'a1b2c3d4-0000-4000-8000-000000000002' }, false],
    [{ countryIds: ['FRA'] }, true],
    [{ countryIds: ['NOR', 'GBR'] }, true],
    [{ countryIds: ['NOR'] }, false],
    [{ countryIds: ['FRA'], types: ['team' as const] }, false],
  ])('is for a reader who asks for %j: %j', (filter, wanted) => {
    expect(isWanted(ROW, filter)).toBe(wanted);
  });
});
