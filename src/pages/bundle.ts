// The scripts and styles of the pages, bundled: into memory for a server that runs from its sources, into a folder by the build.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';
import { type Language, wordsOf, LANGUAGE_TAGS, LANGUAGES } from './locales/languages.ts';
import { PAGE_WORDS, WIDGET_WORDS, wordsText } from './locales/unit-words.ts';

/** A file as it is served; its name holds a hash of its content. `imports`: what it loads at once. */
export type Asset = { name: string; file: string; text: string; imports: string[] };

// In the sources, also when this runs as built.
const SOURCES = join(import.meta.dirname, '../../src/pages');

/** Browsers that the pages run in; the graphics of television programs embed older ones. */
const TARGETS = ['chrome90', 'firefox90', 'safari14.1'];
const OLDER_TARGETS = ['chrome71'];

/** Bundles everything that browsers load, a script for each language among it. */
export async function bundle(): Promise<Asset[]> {
  // A tool of the build: where the pages are built already it is not there.
  const { build } = await import('esbuild');
  const pages = assetsOf(await build(OPTIONS));
  const style = pages.find(({ name }) => name === 'widget.css')!;
  style.text = byWidthOfPlace(style.text);
  const scripts = await build({ ...CLASSIC, plugins: [spokenWords, widgetStyle(style.text)] });
  return [...pages, ...assetsOf(scripts)];
}

type Built = BuildResult<{ write: false; metafile: true }>;

function assetsOf({ outputFiles, metafile }: Built): Asset[] {
  const texts = new Map(outputFiles.map(({ path, text }) => [path.split('/').at(-1)!, text]));
  return Object.entries(metafile.outputs).map(([path, { entryPoint, imports }]) => {
    const file = path.split('/').at(-1)!;
    const name = entryPoint ? file.replace(/\.[A-Z0-9]{8}\./, '.') : file;
    return {
      name,
      file,
      text: texts.get(file)!,
      imports: imports
        .filter(({ kind }) => kind === 'import-statement')
        .map((one) => one.path.split('/').at(-1)!),
    };
  });
}

// On a page of somebody else's, what counts is how wide its place is.
const byWidthOfPlace = (css: string) =>
  css.replace(/@media ?\((max|min)-width: ?([\d.]+rem)\)/g, '@container ($1-width:$2)');

/** Writes the bundle, and what it consists of, into a folder. */
export async function writeBundle(folder: string): Promise<void> {
  const assets = await bundle();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'assets.json'), JSON.stringify(assets));
}

// A page in one language loads the words of that one alone, and of these what its scripts say.
const pageInLanguage: Plugin = {
  name: 'page-in-language',
  setup(build) {
    build.onResolve({ filter: /^page:/ }, ({ path }) => ({
      path: path.slice('page:'.length),
      namespace: 'page',
    }));
    build.onLoad({ filter: /./, namespace: 'page' }, ({ path: tag }) => ({
      contents: `import { startPage } from './browser/page.ts';
void startPage(${wordsText(wordsOf(tag as Language), PAGE_WORDS)});`,
      loader: 'js',
      resolveDir: SOURCES,
    }));
  },
};

/** A module that is made, not read. */
const made = (name: string, contents: () => string): Plugin => ({
  name,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }));
    build.onLoad({ filter: /./, namespace: name }, () => ({ contents: contents(), loader: 'js' }));
  },
});

// The words that a widget needs, in every language: who loads these scripts does not say which one.
const spokenWords = made('spoken-words', () => {
  const languages = LANGUAGE_TAGS.map((tag) => `${tag}:${wordsText(LANGUAGES[tag].words, WIDGET_WORDS)}`);
  return `export const SPOKEN={${languages.join(',')}};`;
});

const widgetStyle = (css: string) => made('widget-style', () => `export const STYLE=${JSON.stringify(css)};`);

const OPTIONS = {
  absWorkingDir: SOURCES,
  entryPoints: [
    ...LANGUAGE_TAGS.map((tag) => ({ in: `page:${tag}`, out: `page-${tag}` })),
    // Named, because pages with units say beforehand that it will be loaded.
    { in: 'browser/live-units.tsx', out: 'live-units' },
    ...['pages', 'embed', 'screen', 'overlay', 'card', 'widget'].map((name) => ({
      in: `styles/${name}.css`,
      out: name,
    })),
  ],
  outdir: '/assets',
  entryNames: '[name].[hash]',
  chunkNames: 'shared.[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  charset: 'utf8',
  metafile: true,
  write: false,
  // Its makers' own short form is a kilobyte less than ours of it.
  alias: { 'pusher-js': 'pusher-js/dist/web/pusher.min.js' },
  legalComments: 'inline',
  target: TARGETS,
  // The oldest of them fails with spread arguments behind it alone, which nothing here has.
  supported: { 'optional-chain': true },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [pageInLanguage],
  logLevel: 'silent',
} satisfies BuildOptions;

/** Scripts that stand alone: for pages of other sites, for screens, and for browsers inside of other programs. */
const CLASSIC = {
  ...OPTIONS,
  entryPoints: [
    { in: 'browser/widget.tsx', out: 'widget' },
    { in: 'browser/overlay.tsx', out: 'overlay' },
    { in: 'browser/screen.ts', out: 'screen' },
  ],
  splitting: false,
  format: 'iife',
  target: OLDER_TARGETS,
  supported: {},
} satisfies BuildOptions;
