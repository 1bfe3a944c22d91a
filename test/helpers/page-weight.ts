// The weight of a page: what it loads before anybody has clicked, as it is sent with gzip.
import { gzipSync } from 'node:zlib';

export type Weight = {
  html: number;
  scripts: number;
  styles: number;
  /** Paths of what a browser waits for before it paints. */
  blocking: string[];
};

/** kB of the budgets. */
export const KB = 1024;
/** `boardScripts`: of the big screen, which no telephone loads. */
export const BUDGETS = { html: 15 * KB, scripts: 35 * KB, boardScripts: 60 * KB, styles: 12 * KB };

/** @param bytesOf how many bytes an asset is sent as */
export async function weightOf(html: string, bytesOf: (path: string) => Promise<number>): Promise<Weight> {
  const tags = Array.from(html.matchAll(/<(link|script)\b([^>]*)>/g), ([, name, text = '']) => ({
    name: name!,
    attributes: Object.fromEntries(
      Array.from(text.matchAll(/([\w-]+)(?:="([^"]*)")?/g), ([, key, value = '']) => [key!, value]),
    ) as Record<string, string>,
  }));
  const links = (rel: string) =>
    tags.flatMap(({ name, attributes: { rel: of, href } }) => (name === 'link' && of === rel ? href! : []));
  const scripts = tags.filter(({ name, attributes }) => name === 'script' && attributes['src'] !== undefined);
  const waitsFor = scripts.filter(({ attributes: { type, async, defer } }) => {
    return type !== 'module' && async === undefined && defer === undefined;
  });
  const loaded = new Set([...links('modulepreload'), ...scripts.map(({ attributes }) => attributes['src']!)]);
  const sum = async (paths: Iterable<string>) =>
    (await Promise.all(Array.from(paths, bytesOf))).reduce((total, bytes) => total + bytes, 0);
  return {
    html: gzipSync(html).length,
    scripts: await sum(loaded),
    styles: await sum(links('stylesheet')),
    blocking: [...links('stylesheet'), ...waitsFor.map(({ attributes }) => attributes['src']!)],
  };
}

/** Asks for each asset once: pages share most of theirs. */
export function askedOnce(bytesOf: (path: string) => Promise<number>): (path: string) => Promise<number> {
  const known = new Map<string, Promise<number>>();
  return (path) => {
    const bytes = known.get(path) ?? bytesOf(path);
    known.set(path, bytes);
    return bytes;
  };
}

export const inKb = (bytes: number): string => (bytes / KB).toFixed(1);

export const weightText = ({ html, scripts, styles }: Weight): string =>
  `HTML ${inKb(html)} kB, scripts ${inKb(scripts)} kB, styles ${inKb(styles)} kB`;
