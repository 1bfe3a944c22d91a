// Athletes and clubs of the demo. All of them are made up, surnames included.
export type Athlete = {
  competitor_id: string;
  first_name: string;
  last_name: string;
  gender: 'F' | 'M';
  date_of_birth: string;
  category: string;
  age_group: string;
  team_id: string;
};

export const COUNTRY = 'GBR';

export const CLUBS = [
  { team_id: 'SBH', team_name: 'Saltmarsh Bay Harriers' },
  { team_id: 'ORN', team_name: 'Orrindale AC' },
  { team_id: 'KCS', team_name: 'Kestrel Cliff Striders' },
  { team_id: 'TWM', team_name: 'Tollwick Moor AC' },
];

const FIRST_NAMES = {
  F: 'Maren Ilze Saoirse Beatriz Oona Zofia Elif Carys Noor Linnea Petra Amaia'.split(' '),
  M: 'Eamon Luka Tadeusz Iwan Mateo Joss Anders Kwame Rafe Timo Costin Yannis'.split(' '),
};

const LAST_NAMES = {
  F: (
    'Brindlemoor Vesterkorn Szelwandy Ostrangel Fennimark Calderwisp Drozdalin Haverlund Ilvesmaa Quillfrost ' +
    'Tarrowby Wexelmann Amberholt Jorvendal Lindqvarn Mirelanda Nettlesham Oravecki Pellandine Rookhallow ' +
    'Sundervik Thistlemere Ulvenhaug Zarembold'
  ).split(' '),
  M: (
    'Ashgrindle Bolverstad Cragmoray Dunnervik Eskildane Farrowind Gorskaven Hollinbrae Ivarssund Jasperholm ' +
    'Kolvenaar Larkenfell Mossgarten Norrlander Oakhamble Pinewarden Quarrendon Ravensbygd Stellmarek Torvalund ' +
    'Umberleigh Vargholtz Wintermoss Yarrowick'
  ).split(' '),
};

/** All athletes of one gender, with bibs that count up from `firstBib`. */
function squad(gender: 'F' | 'M', firstBib: number): Athlete[] {
  return LAST_NAMES[gender].map((lastName, index) => ({
    competitor_id: String(firstBib + index),
    first_name: FIRST_NAMES[gender][index % FIRST_NAMES[gender].length]!,
    last_name: lastName,
    gender,
    date_of_birth: birthday(index),
    category: gender === 'F' ? 'SW' : 'SM',
    age_group: 'SEN',
    team_id: CLUBS[index % CLUBS.length]!.team_id,
  }));
}

const twoDigits = (number: number) => String(number).padStart(2, '0');
const birthday = (index: number) =>
  `${1994 + (index % 11)}-${twoDigits(1 + ((index * 5) % 12))}-${twoDigits(1 + ((index * 7) % 28))}`;

export const WOMEN = squad('F', 101);
export const MEN = squad('M', 201);

const BY_BIB = new Map([...WOMEN, ...MEN].map((athlete) => [athlete.competitor_id, athlete]));

export function nameOf(bib: string): string {
  const athlete = BY_BIB.get(bib);
  return athlete ? `${athlete.first_name} ${athlete.last_name}` : bib;
}

export const bibs = (athletes: Athlete[]): string[] => athletes.map(({ competitor_id }) => competitor_id);

/** How good an athlete is, from 0 to 1: a fixed property of the bib, so that favourites stay favourites. */
export const talent = (bib: string): number => ((Number(bib) * 37) % 24) / 23;
