// The program's source files as the checks of the house see them: texts, imports, folders.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Paths from the root, of own files; names of packages as they are. `types`: gone when the program runs. */
export type Import = { name: string; types: boolean };
export type Source = { file: string; text: string; imports: Import[] };

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

export const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file));

export const source = (file: string, text = read(file)): Source => ({
  file,
  text,
  imports: importsOf(file, text),
});

function importsOf(file: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(?:([^;'"]*?)\s*from\s+)?'([^']+)';/gms);
  return Array.from(statements, ([, names = '', name = '']) => ({
    name: name.startsWith('.') ? posix.join(posix.dirname(file), name) : name,
    types: /^type\b/.test(names) || /^\{(\s*type [^,}]+,?)+\s*\}$/.test(names),
  }));
}

/** Names of what is loaded when the program runs. */
export const loadedBy = ({ imports }: Source): string[] =>
  imports.filter(({ types }) => !types).map(({ name }) => name);

/** The comment at the top of the file. */
export const headerOf = ({ text }: Source): string => /^(?:\/\/.*\n)*/.exec(text)![0];

export const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(?<!:)\/\/.*/g, '');

/** Where a file lives; those at the top of src stand for themselves. */
export const roomOf = (file: string): string => {
  const folder = posix.dirname(file);
  return folder === 'src' ? file : folder;
};

/** A way from a room back to itself, over imports of types too; undefined when there is none. */
export function cycleAmong(
  sources: Source[],
  counts: (from: Source, to: Import) => boolean,
): string[] | undefined {
  const ways = new Map<string, Set<string>>();
  for (const from of sources) {
    const room = roomOf(from.file);
    const reached = ways.get(room) ?? new Set();
    for (const to of from.imports) {
      if (to.name.startsWith('src/') && roomOf(to.name) !== room && counts(from, to))
        reached.add(roomOf(to.name));
    }
    ways.set(room, reached);
  }
  const done = new Set<string>();
  const visit = (room: string, path: string[]): string[] | undefined => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (done.has(room)) return undefined;
    for (const next of ways.get(room) ?? []) {
      const found = visit(next, [...path, room]);
      if (found) return found;
    }
    done.add(room);
    return undefined;
  };
  for (const room of ways.keys()) {
    const found = visit(room, []);
    if (found) return found;
  }
  return undefined;
}
