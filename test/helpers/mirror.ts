// Mirrors of the data site: made in this process, read from the disk, and what they have to be.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { runApart } from './cli.ts';
import { get } from './http-client.ts';
import { makeTestFolder } from './temporary.ts';

/** A run of the command in this process. */
export const mirrorOnce = (from: string, to: string, ...more: string[]) =>
  runApart(['mirror', '--from', from, '--to', to, '--once', ...more]);

export async function newFolder(): Promise<string> {
  const folder = await makeTestFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'mirror');
}

/** Everything that is not the mirror's own state, by its path. */
export async function filesIn(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (path.startsWith('.mirror')) continue;
    // A folder without anything in it is too much as well.
    if (entry.isDirectory() && (await readdir(join(folder, path))).length === 0) files.set(path, 'empty');
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(folder, path));
    files.set(path, (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString());
  }
  return files;
}

type Entry = { country_id: string; slug: string };
type Whole = { events: { event_id: string; units: { round: number; heat: number }[] }[] };

/** What a mirror of the site has to hold: found by its documents, without the feed. */
export async function filesOfSite(baseUrl: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const add = async (path: string): Promise<unknown> => {
    const url = path.split('/').map(encodeURIComponent).join('/');
    const reply = await get(`${baseUrl}/${url}/json/`);
    if (reply.status !== 200) throw new Error(`${reply.status} ${path}`);
    for (const end of ['', '.gz']) files.set(`${path}/json/index.json${end}`, reply.text);
    return reply.body;
  };
  const entries = (await add('x/2026')) as Entry[];
  if (entries.length === 0) return new Map();
  for (const country of new Set(['GBR', ...entries.map(({ country_id }) => country_id)]))
    await add(`x/2026/${country}`);
  for (const { country_id, slug } of entries) {
    const path = `x/2026/${country_id}/${slug}`;
    const { events } = (await add(path)) as Whole;
    await add(`${path}/overview`);
    for (const { event_id, units } of events) {
      await add(`${path}/event/${event_id}`);
      await add(`${path}/event/${event_id}/overview`);
      for (const round of new Set(units.map((unit) => unit.round)))
        await add(`${path}/event/${event_id}/${round}`);
      for (const { round, heat } of units) await add(`${path}/event/${event_id}/${round}/${heat}`);
    }
  }
  return files;
}
