// The scripts and styles of the pages, bundled: into memory for a server that runs from its sources, into a folder by the build.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { LANGUAGE_TAGS } from './locales/languages.ts';

/** A file as it is served; its name holds a hash of its content. `imports`: what it loads at once. */
export type Asset = { name: string; file: string; text: string; imports: string[] };

// In the sources, also when this runs as built.
const SOURCES = join(import.meta.dirname, '../../src/pages');

/** Browsers that the pages run in; the graphics of television programs embed older ones. */
const TARGETS = ['chrome90', 'firefox90', 'safari14.1'];

/** Bundles everything that browsers load, a script for each language among it. */
export async function bundle(): Promise<Asset[]> {
  // A tool of the build: where the pages are built already it is not there.
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build(OPTIONS);
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

/** Writes the bundle, and what it consists of, into a folder. */
export async function writeBundle(folder: string): Promise<void> {
  const assets = await bundle();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'assets.json'), JSON.stringify(assets));
}

// A page in one language loads the words of that one alone.
const pageInLanguage: Plugin = {
  name: 'page-in-language',
  setup(build) {
    build.onResolve({ filter: /^page:/ }, ({ path }) => ({
      path: path.slice('page:'.length),
      namespace: 'page',
    }));
    build.onLoad({ filter: /./, namespace: 'page' }, ({ path: tag }) => ({
      contents: `import { startPage } from './browser/page.ts';
import { ${tag} } from './locales/${tag}.ts';
void startPage(${tag});`,
      loader: 'ts',
      resolveDir: SOURCES,
    }));
  },
};

const OPTIONS = {
  absWorkingDir: SOURCES,
  entryPoints: [
    ...LANGUAGE_TAGS.map((tag) => ({ in: `page:${tag}`, out: `page-${tag}` })),
    { in: 'styles/pages.css', out: 'pages' },
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
  legalComments: 'inline',
  target: TARGETS,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [pageInLanguage],
  logLevel: 'silent',
} satisfies BuildOptions;
