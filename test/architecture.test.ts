// The house: which file may know which. Every rule comes with a violation of it, which it has to find.
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  cycleAmong,
  filesIn,
  headerOf,
  type Import,
  loadedBy,
  read,
  type Source,
  source,
  withoutComments,
} from './helpers/house.ts';

const SOURCES = filesIn('src').map((file) => source(file));

const DATABASE = /^(drizzle-orm|pg)\b|^src\/db\//;
/** What SQL is made with. Connections, transactions and locks are not SQL. */
const SQL = /^(drizzle-orm|pg)\b|^src\/db\/(schema|prepared|bulk)\.ts$/;
const FASTIFY = /^@?fastify/;
const WORLD = /^(node:(fs|net|http|https|child_process|os|timers)|ws|pusher)\b/;
const FEATURE = /^src\/(accounts|competitions|lynx|units|site|calendar|monitoring|webhooks)\//;
const PROCESS =
  /^src\/(main|cli|demo|app|server|stop|deps|hash-worker|upload-worker)\.ts$|^src\/(cli|demo)\//;

const isIn = (folder: string) => (file: string) => file.startsWith(`src/${folder}/`);
const isStore = (file: string) => /(^|[/-])store\.ts$/.test(file);
const isDatabase = isIn('db');
const isPure = (file: Source) => /\bPure\.(\s|$)/.test(headerOf(file));

/** SQL that stands outside stores, and why it does. */
const SQL_ELSEWHERE: Record<string, string> = {
  'src/push/enqueue.ts': 'the writing half of the outbox, named for what savers do',
  'src/push/relay.ts': 'a session of its own: it listens, and holds the lock of the one that publishes',
  'src/competitions/merge-sections.ts': 'one merge for four tables, which it is handed as values',
};

/** Only these may write push events in a store: the save of a unit is one statement altogether. */
const STORE_WITH_EVENTS = 'src/units/saving/unit-store.ts';

const registersRoutes = ({ file, text }: Source) =>
  /\.(get|post|put|patch|delete|route)(<\w+>)?\(\s*(\w*[pP]ath|url|`|'\/|\{\s*url)/.test(
    withoutComments(text),
  ) &&
  !isIn('http')(file) &&
  !isIn('cli')(file);

/** Writes and reads of a feature: what is neither HTTP nor SQL nor pure, and uses stores. */
const isVerb = (file: Source) =>
  /^src\/(accounts|competitions|units|webhooks)\//.test(file.file) &&
  !isStore(file.file) &&
  !registersRoutes(file) &&
  !loadedBy(file).some((name) => FASTIFY.test(name)) &&
  loadedBy(file).some((name) => isStore(name) || name === 'src/db/transaction.ts');

const VERBS = new Set(SOURCES.filter(isVerb).map(({ file }) => file));
const READS = new Set(['src/competitions/read.ts']);

type Rule = {
  of: string;
  files: (file: Source) => boolean;
  never: (imported: string, file: Source) => boolean;
  violation: [file: string, text: string];
};

const RULES: Rule[] = [
  {
    of: 'pure files',
    files: isPure,
    never: (name) => DATABASE.test(name) || FASTIFY.test(name) || WORLD.test(name) || isStore(name),
    violation: ['src/units/rules/x.ts', "// Rules. Pure.\nimport { readFile } from 'node:fs/promises';"],
  },
  {
    of: 'the rules of the sport',
    files: ({ file }) => isIn('units/rules')(file),
    never: (name) => name.startsWith('src/') && !/^src\/(units\/rules\/|errors\.ts)/.test(name),
    violation: ['src/units/rules/x.ts', "import { renderUnit } from '../saving/record.ts';"],
  },
  {
    of: 'schemas',
    files: ({ file }) => /\bschemas\.ts$/.test(file),
    never: (name) => DATABASE.test(name) || FASTIFY.test(name) || isStore(name),
    violation: ['src/units/schemas.ts', "import { units } from '../db/schema.ts';"],
  },
  {
    of: 'stores',
    files: ({ file }) => isStore(file),
    never: (name, { file }) =>
      FASTIFY.test(name) ||
      VERBS.has(name) ||
      (isIn('push')(name) && !isIn('push')(file) && file !== STORE_WITH_EVENTS),
    violation: ['src/competitions/other-store.ts', "import { enqueue } from '../push/enqueue.ts';"],
  },
  {
    of: 'all but stores: SQL',
    files: ({ file }) =>
      !isStore(file) && !isDatabase(file) && !(file in SQL_ELSEWHERE) && !PROCESS.test(file),
    never: (name) => SQL.test(name),
    violation: ['src/units/record-attempt.ts', "import { units } from '../db/schema.ts';"],
  },
  {
    of: 'routes',
    // Monitoring asks every room how it is.
    files: (file) =>
      (registersRoutes(file) && !isIn('monitoring')(file.file)) || /\bauthenticate\.ts$/.test(file.file),
    never: (name, { file }) =>
      SQL.test(name) || (isStore(name) && posix.dirname(name).split('/')[1] !== file.split('/')[1]),
    violation: [
      'src/competitions/more-routes.ts',
      "import { findByEmail } from '../accounts/store.ts';\napp.delete('/x', {}, async () => {});",
    ],
  },
  {
    of: 'site and calendar, which only read',
    files: ({ file }) => isIn('site')(file) || isIn('calendar')(file),
    never: (name) => (VERBS.has(name) && !READS.has(name)) || name === 'src/push/enqueue.ts',
    violation: ['src/site/x.ts', "import { updateCompetition } from '../competitions/update.ts';"],
  },
  {
    of: 'push',
    files: ({ file }) => isIn('push')(file),
    never: (name) => FEATURE.test(name),
    violation: ['src/push/x.ts', "import { renderUnit } from '../units/saving/record.ts';"],
  },
  {
    of: 'the push server, which has neither database nor outbox',
    files: ({ file }) => isIn('push/server')(file),
    never: (name) => DATABASE.test(name) || (isIn('push')(name) && !isIn('push/server')(name)),
    violation: ['src/push/server/x.ts', "import { enqueue } from '../enqueue.ts';"],
  },
  {
    of: 'http',
    files: ({ file }) => isIn('http')(file),
    never: (name) => DATABASE.test(name) || /^src\/(?!http\/|(errors|outage-log)\.ts)/.test(name),
    violation: ['src/http/x.ts', "import { unitPath } from '../push/channels.ts';"],
  },
  {
    of: 'the database',
    files: ({ file }) => isDatabase(file),
    never: (name) => /^src\/(?!db\/|(errors|outage-log)\.ts)/.test(name),
    violation: ['src/db/x.ts', "import { loadConfig } from '../config.ts';"],
  },
  {
    of: 'all but the processes',
    files: ({ file }) => !PROCESS.test(file),
    never: (name) => PROCESS.test(name),
    violation: ['src/units/x.ts', "import { createDeps } from '../deps.ts';"],
  },
];

const faults = ({ never }: Rule, file: Source): string[] =>
  loadedBy(file)
    .filter((name) => never(name, file))
    .map((name) => `${file.file} imports ${name}`);

describe('imports that a file may not have', () => {
  test.for(RULES)('$of', (rule) => {
    const concerned = SOURCES.filter(rule.files);
    expect(concerned).not.toEqual([]);
    expect(concerned.flatMap((file) => faults(rule, file))).toEqual([]);
    const violation = source(...rule.violation);
    expect(rule.files(violation)).toBe(true);
    expect(faults(rule, violation)).not.toEqual([]);
  });

  test('every exception is one', () => {
    const makers = SOURCES.filter((file) => loadedBy(file).some((name) => SQL.test(name)));
    const names = new Set(makers.map(({ file }) => file));
    expect(Object.keys(SQL_ELSEWHERE).filter((file) => !names.has(file))).toEqual([]);
  });
});

/** Statements in texts: of Postgres's words only those that begin one. */
const STATEMENT = /`\s*(with \w+ as|select|insert into|update \w+ set|delete from)\s|\.(query|execute)\(/;

const writesSql = ({ file, text }: Source) =>
  !isStore(file) && !isDatabase(file) && !(file in SQL_ELSEWHERE) && STATEMENT.test(withoutComments(text));

test('SQL is written in stores and in db, nowhere else', () => {
  expect(SOURCES.filter(writesSql).map(({ file }) => file)).toEqual([]);
  expect(writesSql(source('src/units/x.ts', 'await tx.execute(sql`select 1`);'))).toBe(true);
});

const takesParameterPerValue = ({ text }: Source) =>
  /\binArray\b|\.values\(\s*(\[|[\w.]+\.(map|flatMap|filter)\()/.test(withoutComments(text));

test('a list goes into a statement as one array, whose length no number of parameters bounds', () => {
  expect(SOURCES.filter(takesParameterPerValue).map(({ file }) => file)).toEqual([]);
  for (const text of ['inArray(units.eventId, ids)', 'tx.insert(audit).values(entries.map(rowOf))'])
    expect(takesParameterPerValue(source('src/units/store.ts', text))).toBe(true);
});

// Everybody may name the shapes of a request and what the program is handed: types alone, from these files.
const countsAsKnowing = (_from: Source, { name, types }: Import) =>
  !(types && /\/(deps|schemas)\.ts$/.test(name));

test('no folder knows one that knows it', () => {
  expect(cycleAmong(SOURCES, countsAsKnowing)).toBeUndefined();
  const back = source('src/push/x.ts', "import type { Plan } from '../units/saving/plan.ts';");
  expect(cycleAmong([...SOURCES, back], countsAsKnowing)).toBeDefined();
});

const asksTheWorld = ({ text }: Source) =>
  /Date\.now\(|new Date\(\)|Math\.random|performance\.now|\bprocess\./.test(withoutComments(text));

const shouldBePure = ({ file }: Source) =>
  isIn('units/rules')(file) ||
  /\/(plan|record|unit-events|unit-context|channels|events|merge)\.ts$/.test(file);

describe('pure files', () => {
  test('ask no clock, no chance and no process', () => {
    expect(SOURCES.filter((file) => isPure(file) && asksTheWorld(file)).map(({ file }) => file)).toEqual([]);
    expect(asksTheWorld(source('src/units/rules/x.ts', '// Pure.\nconst now = Date.now();'))).toBe(true);
  });

  test('are all rules of the sport, and what makes texts and plans of records', () => {
    expect(SOURCES.filter((file) => shouldBePure(file) && !isPure(file)).map(({ file }) => file)).toEqual([]);
  });
});

test('prepared statements have names of their own', () => {
  const names = SOURCES.flatMap(({ text }) =>
    Array.from(text.matchAll(/\bprepared<[\s\S]*?>\(\s*'(\w+)'/g), ([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the environment is read by the processes alone', () => {
  const readers = SOURCES.filter(({ text }) => /process\.env\b/.test(withoutComments(text)));
  // Postgres is started with the variables that its processes need, and no others.
  expect(readers.map(({ file }) => file).filter((file) => !PROCESS.test(file))).toEqual([
    'src/db/embedded/processes.ts',
  ]);
});

test('the example of the environment has every key, and no other', () => {
  const known = [...read('src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, key]) => key!);
  const shown = [...read('.env.example').matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map(([, key]) => key!);
  expect(shown.toSorted()).toEqual(known.toSorted());
});

const opens = ({ text }: Source) => /^\/\/ (?!(What|Whose|Who|How|Where|Which|When|Why)\b)\S/.test(text);

test('a file begins with what it is, and not with a question', () => {
  expect(SOURCES.filter((file) => !opens(file)).map(({ file }) => file)).toEqual([]);
});

/** Longer ones, and why. */
const LONG: Record<string, string> = {
  'src/db/schema.ts': 'every table in one file: what is stored is read at one place',
};

test('no file is longer than 350 lines', () => {
  const long = [...filesIn('src'), ...filesIn('test')].filter(
    (file) => read(file).split('\n').length - 1 > 350,
  );
  expect(long.filter((file) => !(file in LONG))).toEqual([]);
  expect(Object.keys(LONG).filter((file) => !long.includes(file))).toEqual([]);
});
