// Model of the World Athletics result import as its model group proposes it: closed shapes, and what their texts may be. Pure.
import { z } from 'zod';

// World Athletics and IOC spelling.
const COUNTRIES = `
  AFG AIA ALB ALG ANA AND ANG ANT ARG ARM ART ARU ASA AUS AUT AZE BAH BAN BAR BDI BEL BEN BER BHU BIH BIZ BLR BOL BOT
  BRA BRN BUL BUR CAF CAM CAN CAY CGO CHA CHI CHN CIV CMR COD COK COL COM CPV CRC CRO CUB CYP CZE DEN DJI DMA DOM ECU
  EGY ERI ESA ESP EST ETH FIJ FIN FRA FSM GAB GAM GBR GBS GEO GEQ GER GHA GIB GRE GRN GUA GUI GUM GUY HAI HKG HON HUN
  INA IND IRI IRL IRQ ISL ISR ISV ITA IVB JAM JOR JPN KAZ KEN KGZ KIR KOR KOS KSA KUW LAO LAT LBA LBN LBR LCA LES LIE
  LTU LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MHL MKD MLI MLT MNE MNT MON MOZ MRI MTN MYA NAM NCA NED NEP NFI NGR NIG
  NMI NOR NRU NZL OMA PAK PAN PAR PER PHI PLE PLW PNG POL POR PRK PUR PYF QAT ROU RSA RUS RWA SAM SEN SEY SGP SKN SLE
  SLO SMR SOL SOM SRB SRI SSD STP SUD SUI SUR SVK SWE SWZ SYR TAN TGA THA TJK TKM TKS TLS TOG TPE TTO TUN TUR TUV UAE
  UGA UKR URU USA UZB VAN VEN VIE VIN YEM ZAM ZIM`;

const spellings = COUNTRIES.trim().split(/\s+/) as [string, ...string[]];
const Country = z
  .enum(spellings)
  .meta({ id: 'WorldAthleticsCountry', description: 'As World Athletics and the IOC spell it' });
const countries: ReadonlySet<string> = new Set(spellings);
export const isCountry = (code: string): boolean => countries.has(code);

export const FAULTS = ['DNF', 'DNS', 'DQ', 'NM'] as const;
export type Fault = (typeof FAULTS)[number];

const TIME =
  /^(?:(?:0|[1-9]\d{0,2})\.\d[\dh]|(?:0|[1-9]\d{0,2}):[0-5]\d(?:\.\d[\dh])?|(?:0|[1-9]\d{0,2})(?::[0-5]\d){2}(?:\.\d[\dh])?)$/;
const METRES = /^(?:0|[1-9]\d{0,2})\.\d{2}$/;
// Points of combined events, and metres of races over a time.
const WHOLE = /^(?:0|[1-9]\d{0,5})$/;
const WIND = /^(?:[+-]?[1-9]?\d\.\d|NWI|NW|W)$/;
export const NO_WIND_INFORMATION = 'NWI';

const isOneOf = (values: readonly string[], ...patterns: RegExp[]) =>
  new RegExp([`^(?:${values.join('|')})$`, ...patterns.map(({ source }) => source)].join('|'));

const RESULT = isOneOf(FAULTS, TIME, METRES, WHOLE);
const JUMP = isOneOf(['o', '-', 'x'], METRES);
const THROW = isOneOf(['x', '-', 'r'], METRES);
const SERIES_AT_HEIGHT = isOneOf('o x r - xo xx xr x- or xxo xxx xxr xx- xor'.split(' '));

/** Whether the model has such a text there. */
export const fits = {
  time: (text: string) => TIME.test(text),
  metres: (text: string) => METRES.test(text),
  whole: (text: string) => WHOLE.test(text),
  wind: (text: string) => WIND.test(text),
  jump: (text: string) => JUMP.test(text),
  throw: (text: string) => THROW.test(text),
  seriesAtHeight: (text: string) => SERIES_AT_HEIGHT.test(text),
};

const localId = z.int().describe('Local to this file');
const waId = z.int().optional().describe('Id that World Athletics gave');
/** What the proposal requires, and a competition may not know: then it is left out, and told by the report. */
const required = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().describe('Required by the proposal; left out where it is not known, see the report');

const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const TimeOfDay = z.string().regex(/^\d\d:\d\d:\d\d(?:\.\d{1,3})?$/);
const Wind = z.string().regex(WIND);

export const WaAthlete = z.strictObject({
  id: localId,
  waId,
  firstName: z.string(),
  lastName: z.string(),
  birthdate: required(Day),
  country: required(Country),
  sex: z.enum(['female', 'male']).optional(),
});

export const WaRelayTeam = z.strictObject({
  id: localId,
  waId,
  name: z.string(),
  country: required(z.union([Country, z.literal('INT')])),
});

const WaVenue = z.strictObject({ id: localId, waId, name: z.string(), country: required(Country) });

export const OutdoorJump = z.strictObject({ result: z.string().regex(JUMP), wind: Wind });
export const IndoorJump = z.strictObject({ result: z.string().regex(JUMP) });
export const Throw = z.strictObject({ result: z.string().regex(THROW) });
export const Height = z.strictObject({
  height: z.string().regex(METRES),
  attempts: z.string().regex(SERIES_AT_HEIGHT),
});

const ofResult = {
  result: z.string().regex(RESULT).optional(),
  outOfCompetition: z.boolean().optional(),
  placeInRace: z.int().optional(),
  placeInRound: z.int().optional(),
  qualified: z.enum(['q', 'Q']).optional(),
};

export const WaIndividualResult = z.strictObject({
  athleteId: localId,
  wind: Wind.optional(),
  ...ofResult,
  detail: z
    .union([z.array(OutdoorJump), z.array(IndoorJump), z.array(Height), z.array(Throw)])
    .optional()
    .describe('The attempts, in their order'),
});

export const WaRelayResult = z.strictObject({
  relayTeamId: localId,
  legs: z.array(z.int()).optional().describe('Local ids of the athletes, in their order'),
  ...ofResult,
});

export const WaRace = z.strictObject({
  number: z.int(),
  wind: Wind.optional(),
  oversizedTrack: z.boolean().optional(),
  date: Day,
  startTime: TimeOfDay.optional(),
  endTime: TimeOfDay.optional(),
  results: z.union([z.array(WaIndividualResult), z.array(WaRelayResult)]),
});

export const ROUND_TYPES = [
  'Final',
  'Final A-B',
  'Semifinal',
  'Quarterfinal',
  'Round 1',
  'Qualification',
  'Group',
  'Preliminary Round',
  'Extra Race',
] as const;

const WaUnit = z.strictObject({
  waEventId: required(z.int()),
  title: z.string().optional(),
  minAge: z.int().optional(),
  maxAge: z.int().optional(),
  rounds: z.array(z.strictObject({ type: z.enum(ROUND_TYPES).optional(), races: z.array(WaRace) })),
});

export const WaResults = z.strictObject({
  waId,
  venues: z.array(WaVenue),
  units: z.array(WaUnit),
  relayTeams: z.array(WaRelayTeam),
  athletes: z.array(WaAthlete),
});

export const WaReport = z.strictObject({
  complete: z.boolean().describe('Nothing that the proposal requires is missing'),
  athletes: z.int(),
  relay_teams: z.int(),
  units: z.int(),
  races: z.int(),
  results: z.int(),
  left_out: z.int().describe('Results that are not in the file'),
  missing_by_field: z.record(z.string(), z.int()),
  missing: z.array(
    z.strictObject({
      path: z.array(z.union([z.string(), z.int()])).describe('Where it is missing in the file'),
      field: z.string(),
      reason: z.string(),
    }),
  ),
});

export type WaAthlete = z.output<typeof WaAthlete>;
export type WaRelayTeam = z.output<typeof WaRelayTeam>;
export type WaVenue = z.output<typeof WaVenue>;
export type WaRace = z.output<typeof WaRace>;
export type WaIndividualResult = z.output<typeof WaIndividualResult>;
export type WaRelayResult = z.output<typeof WaRelayResult>;
export type WaReport = z.output<typeof WaReport>;
export type RoundType = (typeof ROUND_TYPES)[number];
