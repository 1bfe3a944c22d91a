import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts'));
const SOURCES = filesIn('src');

/** Files without input or output: what they answer depends on what they are given alone. */
const PURE = `
  addresses api-description birth-dates countries errors accounts/permissions
  competitions/record-with-parts competitions/examples competitions/merge competitions/names competitions/record
  competitions/rules competitions/warnings
  push/server/app-path push/channels push/events push/server/protocol push/retry-after push/server/signature
  site/camel site/documents/competitor-text site/documents/event-text site/documents/whole-competition-text
  site/paths site/pieces site/style
  units/rules/attempt-rules units/rules/attempts units/by-event units/rules/disciplines units/rules/field-results
  units/rules/heat-name units/examples units/rules/marks units/rules/rounds units/rules/standings units/rules/state
  units/saving/record units/saving/unit-events`
  .trim()
  .split(/\s+/)
  .map((name) => `src/${name}.ts`);
/** One write each. */
const VERBS =
  /^src\/(competitions\/(create|update|upload|remove|settings|test-payload|read|import)|units\/(saving\/save|record-attempt).*|accounts\/(create|change|sign).*)\.ts$/;
const COMPOSITION = /^src\/(main|cli|demo|app|server|stop|deps)\.ts$|^src\/(cli|demo|monitoring)\//;

/** What the code of a file loads; imports of types alone are gone when it runs. Own files are named by their path. */
function importsOf(file: string): string[] {
  const statements = read(file).matchAll(/^(?:import|export)\s+(?!type\b)([^;]*?)\s*from\s+'([^']+)';/gms);
  return [...statements]
    .filter(([, names = '']) => !/^\{(\s*type [^,}]+,?)+\s*\}$/.test(names))
    .map(([, , name = '']) => (name.startsWith('.') ? posix.join(posix.dirname(file), name) : name));
}

const FEATURE = /^src\/(accounts|competitions|units|site|calendar)\//;
const DATABASE = /^(drizzle-orm|pg)\b|^src\/db\//;
const FASTIFY = /^@?fastify/;
const WORLD = /^(node:(fs|net|http|https|child_process|os|timers)|ws|pusher)\b/;
const isFile = (name: string) => (file: string) => posix.basename(file) === name;

const RULES: {
  of: string;
  files: (file: string) => boolean;
  never: (imported: string, file: string) => boolean;
}[] = [
  {
    of: 'pure files',
    files: (file) => PURE.includes(file),
    never: (name) =>
      DATABASE.test(name) || FASTIFY.test(name) || WORLD.test(name) || isFile('store.ts')(name),
  },
  {
    of: 'schemas.ts',
    files: isFile('schemas.ts'),
    never: (name) => DATABASE.test(name) || FASTIFY.test(name) || isFile('store.ts')(name),
  },
  {
    of: 'store.ts',
    files: isFile('store.ts'),
    never: (name) => FASTIFY.test(name) || name.startsWith('src/push/') || VERBS.test(name),
  },
  { of: 'verbs', files: (file) => VERBS.test(file), never: (name) => FASTIFY.test(name) },
  {
    of: 'routes.ts and authenticate.ts',
    files: (file) => isFile('routes.ts')(file) || isFile('authenticate.ts')(file),
    never: (name, file) =>
      name.startsWith('drizzle-orm') ||
      name === 'src/db/schema.ts' ||
      (isFile('store.ts')(name) && posix.dirname(name) !== posix.dirname(file)),
  },
  {
    of: 'site and calendar, which only read',
    files: (file) => /^src\/(site|calendar)\//.test(file),
    never: (name) => (VERBS.test(name) && !name.endsWith('/read.ts')) || name === 'src/push/enqueue.ts',
  },
  { of: 'push', files: (file) => file.startsWith('src/push/'), never: (name) => FEATURE.test(name) },
  {
    of: 'http',
    files: (file) => file.startsWith('src/http/'),
    never: (name) => DATABASE.test(name) || /^src\/(?!http\/|errors\.ts)/.test(name),
  },
  {
    of: 'db',
    files: (file) => file.startsWith('src/db/'),
    never: (name) => /^src\/(?!db\/|errors\.ts)/.test(name),
  },
  {
    of: 'everything but the composition roots',
    files: (file) => !COMPOSITION.test(file),
    never: (name) => COMPOSITION.test(name),
  },
];

describe('imports that a file may not have', () => {
  test.for(RULES)('$of', ({ files, never }) => {
    const concerned = SOURCES.filter(files);
    const found = concerned.flatMap((file) =>
      importsOf(file)
        .filter((name) => never(name, file))
        .map((name) => `${file} imports ${name}`),
    );
    expect(concerned).not.toEqual([]);
    expect(found).toEqual([]);
  });
});

test('pure files exist, and ask no clock', () => {
  expect(PURE.filter((file) => !SOURCES.includes(file))).toEqual([]);
  expect(PURE.filter((file) => /Date\.now\(|new Date\(\)|Math\.random|process\./.test(read(file)))).toEqual(
    [],
  );
});

test('the environment is read by the composition roots alone', () => {
  const readers = SOURCES.filter((file) => /process\.env\b/.test(read(file).replaceAll(/\/\/.*/g, '')));
  // Postgres is started with the variables that its processes need, and no others.
  expect(readers.filter((file) => !COMPOSITION.test(file))).toEqual(['src/db/embedded/processes.ts']);
});

test('the example of the environment has every key, and no other', () => {
  const known = [...read('src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, key]) => key!);
  const shown = [...read('.env.example').matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map(([, key]) => key!);
  expect(shown.toSorted()).toEqual(known.toSorted());
});

test('no file is longer than 350 lines', () => {
  const long = [...SOURCES, ...filesIn('test')].filter((file) => read(file).split('\n').length - 1 > 350);
  expect(long).toEqual([]);
});
