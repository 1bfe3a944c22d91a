// Made-up .lif files with the shares of real ones: 147 files, 1,547 rows. Written without the program's own formats.
export type MadeRow = {
  place: string;
  id: string;
  lane: string;
  last: string;
  first: string;
  affiliation: string;
  time: string;
  /** As the time is announced: thousandths rounded up. */
  announced: string;
};
export type MadeLif = {
  bytes: Buffer;
  text: string;
  encoding: (typeof ENCODINGS)[number];
  rows: MadeRow[];
  wind: string | null;
  isRelay: boolean;
};

const ENCODINGS = [
  'ascii',
  'cp1252',
  'utf8',
  'utf8 with mark',
  'utf16le',
  'utf16be',
  'utf16le without mark',
] as const;
const NAMES = ['Okafor', 'Lindqvist', "O'Neill", 'Adeyemi-Roy', 'Marsh'];
const ACCENTED = ['Gärtner', 'Núñez', 'Bjørnstad', 'Lefèvre'];
const FIRST = ['Maren', 'Tove', 'Ines', 'Wren', 'Ada'];
const CLUBS = ['Harbour Town AC', 'Sandnes IL', 'Club Nord, Lyon', 'Tri-Club "Ost"'];
const WINDS: [wind: string, unit: string, read: string][] = [
  ['+2.0', 'm/s', '+2.0'],
  ['-0.4', 'M/S E', '-0.4'],
  ['1,3', '(Manual)', '+1.3'],
  ['nwi', '', 'NWI'],
];

/** Numbers from 0 to 1, the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Options = { event?: number; round?: number; heat?: number; bibs?: string[] };

/** A file of a race in which these bibs run; the same for the same seed. */
export function madeLif(seed: number, { event = 1, round = 1, heat = 1, bibs }: Options = {}): MadeLif {
  const next = chance(seed * 7919 + 1);
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(next() * list.length)]!;
  for (let warm = 0; warm < 5; warm++) next();
  const encoding = next() < 0.5 ? 'ascii' : pick(ENCODINGS);
  const names = encoding === 'ascii' ? NAMES : [...NAMES, ...ACCENTED];
  const isRelay = bibs === undefined && next() < 0.1;
  const comma = next() < 0.1;
  const starters =
    bibs ?? Array.from({ length: 6 + Math.floor(next() * 9) }, (_, index) => String(101 + index));
  let thousandths = 10_800 + Math.floor(next() * 90_000);
  let place = 0;
  const rows = starters.map((id, index): MadeRow => {
    const status = statusOf(next());
    const equal = place > 0 && next() < 0.01;
    if (!status && !equal) {
      place++;
      thousandths += 1 + Math.floor(next() * 400);
    }
    const time = status ? '' : clock(thousandths, 3);
    return {
      place: status || String(place),
      id: isRelay ? '' : id,
      lane: String(index + 1),
      last: isRelay ? `Team ${index + 1}` : pick(names),
      first: isRelay ? '' : pick(FIRST),
      affiliation: isRelay ? `T${index + 1}${pick([' ', '  '])}A` : pick(CLUBS),
      time: comma ? time.replace('.', ',') : time,
      announced: status ? '' : clock(Math.ceil(thousandths / 10) * 10, 2),
    };
  });
  const wind = next() < 0.2 ? pick(WINDS) : null;
  const header = `${event},${round},${heat},Race ${event},${wind ? `${quoted(wind[0])},${wind[1]}` : ','},auto,,,100,14:05:11.2`;
  const [comments, tails, splits] = [next() < 0.1, next() < 0.7, next() < 0.1];
  const lines = [
    header,
    ...(comments ? ['; made by hand'] : []),
    ...rows.map((row) => lineOf(row, tails, splits)),
  ];
  const text = `${lines.join('\r\n')}\r\n`;
  return { text, bytes: encoded(text, encoding), encoding, rows, wind: wind?.[2] ?? null, isRelay };
}

function statusOf(share: number): string {
  const of = share * 1547;
  if (of < 95) return 'SCR';
  if (of < 95 + 67) return 'DNF';
  if (of < 95 + 67 + 39) return 'DNS';
  return of < 95 + 67 + 39 + 8 ? 'DQ' : '';
}

function clock(ms: number, decimals: number): string {
  const [minutes, rest] = [Math.floor(ms / 60_000), ((ms % 60_000) / 1000).toFixed(decimals)];
  return minutes > 0 ? `${minutes}:${rest.padStart(decimals + 3, '0')}` : rest;
}

const quoted = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function lineOf(
  { place, id, lane, last, first, affiliation, time }: MadeRow,
  tail: boolean,
  splits: boolean,
) {
  const known = [place, id, lane, last, first, affiliation, time].map(quoted);
  if (!tail) return known.join(',');
  const laps = splits && time ? quoted('35.120 (35.120),1:11.400 (36.280)') : '';
  return [...known, '', quoted(time), '0.146', laps, '14:05:11.2', '', '', '', '', ''].join(',');
}

function encoded(text: string, encoding: (typeof ENCODINGS)[number]): Buffer {
  if (encoding === 'utf8') return Buffer.from(text);
  if (encoding === 'utf8 with mark') return Buffer.from(`\uFEFF${text}`);
  if (encoding === 'utf16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (encoding === 'utf16le without mark') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf16be') return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  return Buffer.from(text, 'latin1');
}
