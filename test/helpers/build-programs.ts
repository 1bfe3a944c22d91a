// The programs under test as plain JavaScript, in a folder of their own: what the build makes of each file, types unchecked.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { writeBundle } from '../../src/pages/bundle.ts';
import { BUILT, built, ROOT } from './program.ts';

const SOURCES = ['src', 'test/helpers'];
/** What programs find beside their folder of sources. */
const BESIDE = ['migrations', 'package.json'];

type Stale = { source: string; text: string; mark: string };

/** Writes what has changed and removes what has no source any more; programs of another run may be at work in there. */
export async function buildPrograms(): Promise<void> {
  const sources = SOURCES.flatMap((folder) => filesIn(folder, /\.tsx?$/, ROOT));
  const stale = staleAmong(sources);
  if (stale.length > 0) await transpile(stale);
  removeOthers(new Set(sources.map(built)));
  await writeBundle(join(BUILT, 'src/pages/assets'));
  for (const name of BESIDE) link(name);
}

/** Sources that differ from what was built last, or were built otherwise. The end of what is built says from what. */
function staleAmong(sources: string[]): Stale[] {
  const { version } = createRequire(import.meta.url)('typescript/package.json') as { version: string };
  const settings = version + readFileSync(join(ROOT, 'tsconfig.json'), 'utf8');
  return sources.flatMap((source) => {
    const text = readFileSync(join(ROOT, source), 'utf8');
    const hash = createHash('sha256').update(settings).update(text).digest('hex');
    const mark = `// from ${hash}\n`;
    return textOf(built(source)).endsWith(mark) ? [] : [{ source, text, mark }];
  });
}

async function transpile(stale: Stale[]): Promise<void> {
  // Takes a good part of a second to load, and is rarely needed.
  const { default: ts } = await import('typescript');
  const settings: unknown = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(settings, ts.sys, ROOT);
  // The package.json that says so is not seen from one file alone.
  const compilerOptions = { ...options, module: ts.ModuleKind.ESNext, sourceMap: false };
  for (const { source, text, mark } of stale) {
    const { outputText } = ts.transpileModule(text, { compilerOptions, fileName: source });
    mkdirSync(dirname(built(source)), { recursive: true });
    writeFileSync(built(source), outputText + mark);
  }
}

function removeOthers(wanted: Set<string>): void {
  for (const file of SOURCES.flatMap((folder) => filesIn(folder, /\.js$/, BUILT))) {
    if (!wanted.has(join(BUILT, file))) rmSync(join(BUILT, file), { force: true });
  }
}

function filesIn(folder: string, ending: RegExp, root: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));
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
