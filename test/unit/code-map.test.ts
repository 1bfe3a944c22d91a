// The README's code map against the code: what each folder may reject, and what it may write.
import { expect, test } from 'vitest';
import { filesIn, read, source, withoutComments } from '../helpers/house.ts';

/** Says what becomes of the refusals of others, and declares them. */
const TRANSLATORS = new Set(['src/http/errors.ts', 'src/http/schemas.ts']);
const SOURCES = filesIn('src')
  .filter((file) => !TRANSLATORS.has(file))
  .map((file) => source(file));

/** The answers that refusals become, see http/errors.ts. */
const ANSWERS: Record<string, number> = {
  NotFound: 404,
  Unauthenticated: 401,
  Forbidden: 403,
  Invalid: 422,
  Conflict: 409,
  Gone: 410,
  Stale: 412,
  TooMany: 429,
  Unavailable: 503,
  Busy: 503,
  BrokenOff: 503,
  Uncertain: 503,
};

const TABLES = new Map(
  Array.from(
    read('src/db/schema.ts').matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g),
    ([, name, table]) => [name!, table!],
  ),
);

const WRITES_FILES = /\b(writeFile|replaceFile|rename|mkdir|mkdtemp|createWriteStream)\(/;

type Row = { folder: string; rejects: string[]; touches: string[] };

const cell = (text: string) => Array.from(text.matchAll(/\b\d{3}\b|`(\w+)`/g), ([all, name]) => name ?? all);

const ROWS: Row[] = Array.from(
  read('README.md').matchAll(/^\| `([\w/]+)\/` \|[^|]*\|([^|]*)\|([^|]*)\|$/gm),
  ([, folder = '', rejects = '', touches = '']) => ({
    folder,
    rejects: cell(rejects),
    touches: cell(touches),
  }),
);

/** The files of a folder, without those of a folder in it that has a row of its own. */
const filesOf = ({ folder }: Row) => {
  const inside = ROWS.filter((row) => row.folder.startsWith(`${folder}/`));
  return SOURCES.filter(
    ({ file }) =>
      file.startsWith(`src/${folder}/`) && !inside.some((row) => file.startsWith(`src/${row.folder}/`)),
  );
};

function rejectedIn(text: string): string[] {
  const thrown = Array.from(text.matchAll(/\bnew (\w+)\(/g), ([, name]) => ANSWERS[name!]).filter(Boolean);
  const named = Array.from(
    text.matchAll(/(?:UnreadableBody\(|\.code\(|\bstatus: |\? )(4[0-2]\d|503)\b/g),
    ([, status]) => Number(status),
  );
  return [...thrown, ...named].map(String);
}

function writtenIn(text: string): string[] {
  const names = [
    ...text.matchAll(/\.(?:insert|update|delete)\((\w+)\)/g),
    ...text.matchAll(/(?:packedUpsert|bulkWriter|deleteFrom)\((?:\s*tx,\s*)?(\w+)[,)]/g),
    ...text.matchAll(/\btable: (\w+),/g),
  ].flatMap(([, name]) => TABLES.get(name!) ?? []);
  const inSql = Array.from(
    text.matchAll(/\b(?:insert into|update|delete from) (\w+)\b(?= set\b| \(|\n| using| where)/g),
    ([, table]) => table!,
  ).filter((table) => [...TABLES.values()].includes(table));
  return [...names, ...inSql];
}

const sorted = (names: string[]) => [...new Set(names)].toSorted();

test('every folder has its row', () => {
  const folders = new Set(SOURCES.map(({ file }) => file.split('/').slice(1, -1).join('/')));
  folders.delete('');
  expect(sorted(ROWS.map(({ folder }) => folder))).toEqual(sorted([...folders]));
});

test.for(ROWS.map((row) => [row.folder, row] as const))('%s rejects what the map says', ([, row]) => {
  const rejected = filesOf(row).flatMap(({ text }) => rejectedIn(withoutComments(text)));
  expect(sorted(row.rejects)).toEqual(sorted(rejected));
});

test.for(ROWS.map((row) => [row.folder, row] as const))('%s writes what the map says', ([, row]) => {
  const files = filesOf(row);
  const tables = files.flatMap(({ text }) => writtenIn(withoutComments(text)));
  const folders = files.some(({ text }) => WRITES_FILES.test(text)) ? ['files'] : [];
  expect(sorted(row.touches)).toEqual(sorted([...tables, ...folders]));
});
