import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAlpha3Codes } from 'i18n-iso-countries/index.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { covers, EUROPEAN_ATHLETICS, toIso, worldAthleticsCode } from '../../src/countries.ts';

const ISO = Object.keys(getAlpha3Codes()).filter((code) => code !== 'XKK');

describe('country codes', () => {
  it('every ISO code maps to itself, in any letter case', () => {
    for (const code of ISO) {
      expect(toIso(code)).toBe(code);
      expect(toIso(code.toLowerCase())).toBe(code);
    }
  });

  it.each([
    ['GER', 'DEU'],
    ['sui', 'CHE'],
    ['NED', 'NLD'],
    ['KOS', 'XKX'],
    ['RSA', 'ZAF'],
    ['TPE', 'TWN'],
    ['IRI', 'IRN'],
    ['PUR', 'PRI'],
    ['BRU', 'BRN'],
    ['SIN', 'SGP'],
    ['XKK', 'XKX'],
  ])('the World Athletics or IOC spelling %s is read as %s', (theirs, iso) => {
    expect(toIso(theirs)).toBe(iso);
  });

  it('a code that is one country in ISO and another at the IOC means the ISO country', () => {
    expect(toIso('BRN')).toBe('BRN');
    expect(worldAthleticsCode('BHR')).toBe('BHR');
  });

  it.each(['ENG', 'SCO', 'WAL', 'NIR', 'XKX'])('%s is accepted as itself', (code) => {
    expect(toIso(code)).toBe(code);
    expect(toIso(code.toLowerCase())).toBe(code);
  });

  it.each(['', 'XXX', 'DE', 'GERM', ' GER', 'ıta', 'constructor', 'EUR', 'GE\0', '276'])(
    '%j is no country',
    (code) => {
      expect(toIso(code)).toBeNull();
    },
  );

  it('the World Athletics spelling leads back to the same country, and no two countries share one', () => {
    const spellings = ISO.map(worldAthleticsCode);
    expect(spellings.map(toIso)).toEqual(ISO);
    expect(new Set(spellings).size).toBe(ISO.length);
    expect(worldAthleticsCode('DEU')).toBe('GER');
    expect(worldAthleticsCode('XKX')).toBe('KOS');
    expect(worldAthleticsCode('NOR')).toBe('NOR');
  });

  it('European Athletics has 51 members, all of them countries', () => {
    expect(EUROPEAN_ATHLETICS.size).toBe(51);
    for (const code of EUROPEAN_ATHLETICS) expect(toIso(code)).toBe(code);
  });

  it('GBR covers the home nations, and they do not cover each other or GBR', () => {
    for (const nation of ['GBR', 'ENG', 'SCO', 'WAL', 'NIR']) expect(covers('GBR', nation)).toBe(true);
    expect(covers('SCO', 'SCO')).toBe(true);
    expect(covers('SCO', 'ENG')).toBe(false);
    expect(covers('SCO', 'GBR')).toBe(false);
    expect(covers('GBR', 'IRL')).toBe(false);
  });
});

const memberList = z.array(z.object({ wa_code: z.string(), iso_alpha3: z.string() }));
const data = process.env['COMPETITION_DATA_DIR'];

describe.skipIf(!data)(
  `member list of European Athletics${data ? '' : ' (COMPETITION_DATA_DIR is not set)'}`,
  () => {
    it('agrees with the constant, in both spellings', () => {
      const members = memberList.parse(
        JSON.parse(readFileSync(join(data!, 'european_federations.json'), 'utf8')),
      );
      expect(new Set(members.map((member) => member.iso_alpha3))).toEqual(EUROPEAN_ATHLETICS);
      expect(members.map((member) => toIso(member.wa_code))).toEqual(
        members.map((member) => member.iso_alpha3),
      );
      expect(members.map((member) => worldAthleticsCode(member.iso_alpha3))).toEqual(
        members.map((member) => member.wa_code),
      );
    });
  },
);
