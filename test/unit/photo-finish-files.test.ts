import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinLine, splitLine } from '../../src/exchange/csv-line.ts';
import { type Lif, readLif } from '../../src/exchange/lif.ts';
import { type EvtRace, readEvt, writeEvt } from '../../src/exchange/lynx-evt.ts';
import { readPpl, writePpl } from '../../src/exchange/lynx-ppl.ts';
import { readSch, writeSch } from '../../src/exchange/lynx-sch.ts';
import { decodeText, encodeText } from '../../src/exchange/text-encoding.ts';
import { announcedTime, readTime, timeText, windText } from '../../src/exchange/times.ts';
import { madeLif } from '../helpers/lif-files.ts';

const SEEDS = Array.from({ length: 147 }, (_, seed) => seed);
const lines = (...text: string[]) => Buffer.from(`${text.join('\r\n')}\r\n`);
const faults = ({ problems }: Lif) => problems.map(({ line, field }) => `${line} ${field}`);

describe('a .lif file', () => {
  test('of any producer is read as it was meant: encodings, tails, quotes, commas, comments', () => {
    for (const seed of SEEDS) {
      const made = madeLif(seed, { event: 7, round: 2, heat: 3 });
      const { header, rows, problems } = readLif(made.bytes);
      expect([seed, problems]).toEqual([seed, []]);
      expect(header).toMatchObject({ event: 7, round: 2, heat: 3, wind: made.wind });
      const read = rows.map(({ place, status, id, lane, last, first, affiliation, time }) => ({
        place: status ?? String(place),
        id,
        lane: String(lane),
        last,
        first,
        affiliation,
        announced: time ? announcedTime(time) : '',
      }));
      expect(read).toEqual(made.rows.map(({ time: _time, ...row }) => row));
    }
  });

  test('made up for the tests has the shares of real ones', () => {
    const rows = Array.from({ length: 600 }, (_, seed) => madeLif(seed)).flatMap((made) => made.rows);
    const share = (place: string) => rows.filter((row) => row.place === place).length / rows.length;
    expect(share('SCR')).toBeCloseTo(95 / 1547, 1);
    expect(share('DNF')).toBeCloseTo(67 / 1547, 1);
    expect(new Set(SEEDS.map((seed) => madeLif(seed).encoding)).size).toBe(7);
    expect(SEEDS.some((seed) => madeLif(seed).isRelay)).toBe(true);
  });

  test('tells splits and reaction times', () => {
    const { rows } = readLif(
      lines(
        '1,1,1,800 m',
        '1,101,,Marsh,Ada,HTAC,2:01.113,,2:01.113,0.151,"59.8 (59.8),2:01.113 (1:01.313)"',
      ),
    );
    expect(rows[0]).toMatchObject({ reaction: '0.151', time: { ms: 121_113, decimals: 3 } });
    expect(rows[0]!.splits).toEqual([
      { cumulative: { ms: 59_800, decimals: 1 }, lap: { ms: 59_800, decimals: 1 } },
      { cumulative: { ms: 121_113, decimals: 3 }, lap: { ms: 61_313, decimals: 3 } },
    ]);
  });

  test('with a quote left open loses that line alone', () => {
    const lif = readLif(
      lines('1,1,1,100 m', '1,101,4,"Okafor,Maren,HTAC,11.285', '2,102,5,Marsh,Ada,HTAC,11.3'),
    );
    expect(faults(lif)).toEqual(['2 time']);
    expect(lif.rows[1]).toMatchObject({ id: '102', place: 2, last: 'Marsh' });
  });

  test.for<[what: string, bytes: Buffer, faults: string[]]>([
    ['empty', Buffer.alloc(0), ['1 file']],
    ['of comments alone', lines('; nothing'), ['1 file']],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), ['1 file']],
    ['without rows', lines('1,1,1,100 m'), ['1 file']],
    ['JSON', lines('{"event": 1}'), ['1 event', '1 round']],
    ['a lynx.ppl', lines('101,Okafor,Maren,HTAC'), ['1 round', '1 heat']],
    ['a lynx.evt', lines('1,1,1,100 m', ',101,4,Okafor,Maren,HTAC'), ['2 place']],
    ['a lynx.sch', lines('1,1,1', '2,1,1'), ['2 time']],
    ['with a time that is none', lines('1,1,1', '1,101,4,Okafor,Maren,HTAC,fast'), ['2 time']],
    ['with a place that is none', lines('1,1,1', '1st,101,4,Okafor,Maren,HTAC,11.2'), ['2 place']],
    ['with a bib twice', lines('1,1,1', '1,7,4,A,B,C,11.2', '', '2,7,5,A,B,C,11.3'), ['4 id']],
    ['with a wind that is none', lines('1,1,1,100 m,strong', '1,7,4,A,B,C,11.2'), ['1 wind']],
  ])('%s is refused by line and field', ([, bytes, expected]) => {
    expect(faults(readLif(bytes))).toEqual(expected);
  });

  test('of any bytes gets an answer', () => {
    const nearly = fc
      .tuple(fc.nat(200), fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 20 }))
      .map(([seed, changes]) => {
        const bytes = Buffer.from(madeLif(seed).bytes);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), nearly), (bytes) => {
        const { header, rows, problems } = readLif(bytes);
        expect(problems.length > 0 || (header !== null && rows.length > 0)).toBe(true);
        expect(JSON.stringify([header, rows]).isWellFormed()).toBe(true);
      }),
    );
  });

  test('of a megabyte of next to nothing is answered at once', () => {
    for (const one of ['\n', 'a\n', '1,1,1\n', '"', '1:', '(1)', ',', '\u0000'])
      expect(
        readLif(Buffer.from(`1,1,1\n${one.repeat(1_000_000 / one.length)}`)).problems.length,
      ).toBeGreaterThan(0);
  });
});

describe('a text file', () => {
  const letters = fc.string({ unit: fc.constantFrom(...Array.from('abc,"; 1.-éÄßø€ž\r\n')) });

  test('comes back from each encoding', () => {
    fc.assert(
      fc.property(
        letters,
        fc.constantFrom('utf8' as const, 'utf16le' as const, 'cp1252' as const),
        (text, encoding) => {
          // What is Windows-1252 and UTF-8 at once is read as the latter.
          fc.pre(encoding !== 'cp1252' || !/[^\x20-\x7e\r\n]{2}/.test(text));
          expect(decodeText(encodeText(text, encoding)).text).toBe(text);
        },
      ),
    );
  });

  test('keeps what Windows-1252 has, loses accents that it has not, and asks for the rest', () => {
    expect([...encodeText('Š€é', 'cp1252')]).toEqual([0x8a, 0x80, 0xe9]);
    expect(encodeText('Dvořák 李', 'cp1252').toString('latin1')).toBe('Dvor\u00e1k ?');
    expect(decodeText(Buffer.from([0x80, 0x92, 0xe9])).text).toBe('€’é');
  });

  test('in UTF-16 needs no mark, in either order', () => {
    const text = '1,1,1,Läufe\r\n';
    expect(decodeText(Buffer.from(text, 'utf16le')).text).toBe(text);
    expect(decodeText(Buffer.from(text, 'utf16le').swap16()).text).toBe(text);
  });
});

describe('what is written for a photo-finish program is read as it was', () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from('abc,"; 1Äø')) });
  const number = fc.integer({ min: 1, max: 999 });
  const race = { event: number, round: number, heat: number };
  const athlete = fc.record({
    id: text.filter((id) => id !== '0'),
    lane: fc.option(number),
    last: text,
    first: text,
    affiliation: text,
  });

  test('lynx.evt', () => {
    const races: fc.Arbitrary<EvtRace> = fc.record({
      ...race,
      name: text,
      distance: fc.option(number),
      athletes: fc.array(athlete, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(races), (all) => {
        expect(readEvt(writeEvt(all))).toEqual(all);
      }),
    );
  });

  test('lynx.ppl and lynx.sch', () => {
    const person = fc.record({ id: text, last: text, first: text, affiliation: text });
    fc.assert(
      fc.property(fc.array(person), (all) => {
        expect(readPpl(writePpl(all))).toEqual(all);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.record(race)), (all) => {
        expect(readSch(writeSch(all))).toEqual(all);
      }),
    );
  });

  test('and as others write it: blank for comma, 0 for none, heat left out', () => {
    expect(readEvt('3,1\r\n\t0,0,Team,,MTNR A\r\n 101,4\r\n')).toMatchObject([
      {
        event: 3,
        heat: 1,
        athletes: [
          { id: '', lane: null },
          { id: '101', lane: 4 },
        ],
      },
    ]);
    expect(splitLine(joinLine(['a, b', '"c"', ';']).trim())).toEqual(['a, b', '"c"', ';']);
  });
});

describe('a time', () => {
  test.for([
    ['11.285', '11.29'],
    ['11.280', '11.28'],
    ['11.281', '11.29'],
    ['59.991', '1:00.00'],
    ['1:50,526', '1:50.53'],
    ['110.526', '1:50.53'],
    ['1:59:59.995', '2:00:00.00'],
    ['11.3', '11.3'],
    ['11.28', '11.28'],
    ['73:15', '1:13:15'],
    ['9.57001', '9.58'],
  ] as const)('%s is announced as %s', ([time, announced]) => {
    expect(announcedTime(readTime(time)!)).toBe(announced);
  });

  test('of whole milliseconds is never announced as faster than it was, nor by a hundredth slower', () => {
    fc.assert(
      fc.property(fc.nat(40_000_000), (ms) => {
        const exact = readTime(timeText(ms, 3))!;
        expect(exact).toEqual({ ms, decimals: 3 });
        const late = readTime(announcedTime(exact))!.ms - ms;
        expect(late >= 0 && late < 10).toBe(true);
      }),
    );
  });

  test.for([
    ['+2.0', '+2.0'],
    ['2', '+2.0'],
    ['-2.03', '-2.0'],
    ['2,03', '+2.1'],
    ['-0.04', '+0.0'],
    ['nwi', 'NWI'],
    ['strong', null],
  ] as const)('a wind of %s is %s', ([wind, read]) => {
    expect(windText(wind)).toBe(read);
  });
});
