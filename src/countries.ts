// Country codes: ISO 3166-1 alpha-3 inside, the World Athletics and IOC spellings accepted everywhere.
// The package's main entry loads every language and hides its exports from ESM; this file is the plain table.
import { alpha3ToAlpha2, getAlpha3Codes } from 'i18n-iso-countries/index.js';

// The library lists Kosovo under a code of its own making (XKK); the user-assigned code in general use is XKX.
const KOSOVO = 'XKX';

/** Nations within GBR that compete as themselves. */
export const HOME_NATIONS: ReadonlySet<string> = new Set(['ENG', 'SCO', 'WAL', 'NIR']);

const ISO: ReadonlySet<string> = new Set(
  Object.keys(getAlpha3Codes())
    .filter((code) => code !== 'XKK')
    .concat(KOSOVO, ...HOME_NATIONS),
);

// World Athletics and IOC codes that differ from ISO, as [theirs, ISO]. Bahrain's BRN is missing on purpose: it is the
// ISO code of Brunei, and an exact ISO match always wins.
const WORLD_ATHLETICS = pairs(`
  ALG DZA  ANG AGO  ANT ATG  ARU ABW  ASA ASM  BAH BHS  BAN BGD  BAR BRB  BER BMU  BHU BTN  BIZ BLZ  BOT BWA
  BRU BRN  BUL BGR  BUR BFA  CAM KHM  CAY CYM  CGO COG  CHA TCD  CHI CHL  CRC CRI  CRO HRV  DEN DNK  ESA SLV
  FIJ FJI  GAM GMB  GBS GNB  GEQ GNQ  GER DEU  GRE GRC  GRN GRD  GUA GTM  GUI GIN  HAI HTI  HON HND  INA IDN
  IRI IRN  ISV VIR  IVB VGB  KOS XKX  KSA SAU  KUW KWT  LAT LVA  LBA LBY  LES LSO  MAD MDG  MAS MYS  MAW MWI
  MGL MNG  MNT MSR  MON MCO  MRI MUS  MTN MRT  MYA MMR  NCA NIC  NED NLD  NEP NPL  NFI NFK  NGR NGA  NIG NER
  NMI MNP  OMA OMN  PAR PRY  PHI PHL  PLE PSE  POR PRT  PUR PRI  RSA ZAF  SAM WSM  SEY SYC  SKN KNA  SLO SVN
  SOL SLB  SRI LKA  SUD SDN  SUI CHE  TAN TZA  TGA TON  TKS TCA  TOG TGO  TPE TWN  UAE ARE  URU URY  VAN VUT
  VIE VNM  VIN VCT  ZAM ZMB  ZIM ZWE`);

// Spellings that result files still carry beside the present one; read, never written.
const FORMER = pairs('FAR FRO  HOL NLD  LIB LBN  NMA MNP  ROM ROU  SIN SGP  TRI TTO  XKK XKX');

const TO_ISO = new Map([...FORMER, ...WORLD_ATHLETICS]);
const FROM_ISO = new Map(WORLD_ATHLETICS.map(([theirs, iso]) => [iso, theirs]));

/** ISO codes of the 51 member federations of European Athletics. */
export const EUROPEAN_ATHLETICS: ReadonlySet<string> = new Set(
  `ALB AND ARM AUT AZE BEL BGR BIH BLR CHE CYP CZE DEU DNK ESP EST FIN FRA GBR GEO GIB GRC HRV HUN IRL ISL ISR ITA LIE
  LTU LUX LVA MCO MDA MKD MLT MNE NLD NOR POL PRT ROU RUS SMR SRB SVK SVN SWE TUR UKR XKX`.split(/\s+/),
);

/** The ISO code for an ISO, World Athletics or IOC code in any letter case; null when it is none of them. */
export function toIso(code: string): string | null {
  // Only ASCII letters: upper-casing would turn a dotless i into I and accept what is no code.
  if (!/^[A-Za-z]{3}$/.test(code)) return null;
  const upper = code.toUpperCase();
  return ISO.has(upper) ? upper : (TO_ISO.get(upper) ?? null);
}

/** The two letters of a country by ISO 3166-1; undefined for the home nations, which have none. */
export const twoLetters = (iso: string): string | undefined => (iso === KOSOVO ? 'XK' : alpha3ToAlpha2(iso));

/** How World Athletics spells an ISO code. Reading the result back with toIso gives the same country again. */
export function worldAthleticsCode(iso: string): string {
  return FROM_ISO.get(iso) ?? iso;
}

/** Whether what is said of one country holds for another: for itself, and for the home nations within GBR. */
export function covers(countryId: string, competitionCountryId: string): boolean {
  return (
    countryId === competitionCountryId || (countryId === 'GBR' && HOME_NATIONS.has(competitionCountryId))
  );
}

/** The countries that an ISO code covers, itself first. */
export const coveredBy = (countryId: string): string[] =>
  [countryId, ...HOME_NATIONS].filter((id) => covers(countryId, id));

function pairs(table: string): [string, string][] {
  return [...table.matchAll(/(\w{3}) (\w{3})/g)].map(([, theirs, iso]) => [theirs!, iso!]);
}
