// The programs under test as plain JavaScript, in a folder of their own. Each is a few files, not hundreds: tests start
// them more than a hundred times, and reading files was a third of a start.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Loader, type Plugin } from 'esbuild';
import { writeBundle } from '../../src/pages/bundle.ts';
import { BUILT, built, ROOT } from './program.ts';

const PROGRAMS = [
  'src/main.ts',
  'src/cli.ts',
  'src/demo.ts',
  'src/hash-worker.ts',
  'src/upload-worker.ts',
  'test/helpers/embedded-child.ts',
  'test/helpers/push-process.ts',
];
/** Packages that are taken in too, with what they need: each is a hundred files, or shares such a one. */
const TAKEN_IN =
  /^(drizzle-orm|fastify|fastify-type-provider-zod|i18n-iso-countries|pg|prom-client|pusher-js|undici|ws|zod|@fastify\/(cors|formbody|jwt))(\/|$)/;
/** What those need and is left where it is: it starts threads from files of its own, or need not be there. */
const LEFT = /^(pino|pg-native|bufferutil|utf-8-validate)(\/|$)/;
const FOLDERS = ['src', 'test'];
/** What programs find beside their folder of sources. */
const BESIDE = ['migrations', 'package.json'];

/** Writes what has changed and removes what is no part any more; programs of another run may be at work in there. */
export async function buildPrograms(): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outbase: ROOT,
    outdir: BUILT,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    keepNames: true,
    // Packages of the older kind, among those taken in, ask for Node's own modules by it.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [packages, ownPlaces],
    write: false,
    logLevel: 'error',
  });
  for (const { path, text } of outputFiles) writeChanged(path, text);
  removeOthers(new Set(outputFiles.map(({ path }) => path)));
  await writeBundle(join(BUILT, 'src/pages/assets'));
  for (const name of BESIDE) link(name);
}

const packages: Plugin = {
  name: 'packages',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isTaken = TAKEN_IN.test(path) || (importer.includes('/node_modules/') && !LEFT.test(path));
      const isOwn = kind === 'entry-point' || (isTaken && !isBuiltin(path));
      return isOwn ? null : { path, external: true };
    });
  },
};

// A module finds other files from its own place: it is told the one that it has where each is built by itself.
const ownPlaces: Plugin = {
  name: 'own-places',
  setup(builder) {
    builder.onLoad({ filter: /\/(src|test)\/.*\.tsx?$/ }, ({ path }) => {
      const place = built(path.slice(ROOT.length));
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(place)));
      return { contents, loader: extname(path).slice(1) as Loader };
    });
  },
};

function writeChanged(path: string, text: string): void {
  if (textOf(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}

function removeOthers(wanted: Set<string>): void {
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.js') && (!name.includes('/') || FOLDERS.some((one) => name.startsWith(one))),
  );
  for (const file of files) if (!wanted.has(join(BUILT, file))) rmSync(join(BUILT, file), { force: true });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function link(name: string): void {
  try {
    symlinkSync(join(ROOT, name), join(BUILT, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
