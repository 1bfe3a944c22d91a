// Readers of the change feed as they are in the field: one that polls, one that listens; each keeps what it was told last.
import { request } from 'node:http';
import { startNumberer } from '../../src/changes/numberer.ts';
import { prepareFeed } from '../../src/changes/number-changes.ts';
import { urlNow } from '../../src/db/client.ts';
import type { Deps } from '../../src/deps.ts';
import { responseTo } from './http-client.ts';

export type Change = {
  cursor: string;
  type: string;
  competition_id: string;
  year: number;
  country_id: string;
  slug: string;
  event_id: string | null;
  round_no: number | null;
  heat_no: number | null;
  competitor_id: string | null;
  team_id: string | null;
  relay_team_id: string | null;
  revision: number;
  url: string;
  deleted: boolean;
  updated_at: string;
};
export type Page = { epoch: string; changes: Change[]; next: string; more: boolean };

/** What identifies an object, in one text. */
export const keyOf = (change: Change): string =>
  [
    change.competition_id,
    change.type,
    change.event_id,
    change.round_no,
    change.heat_no,
    change.competitor_id ?? change.team_id ?? change.relay_team_id,
  ]
    .filter((part) => part !== null)
    .join(' ');

/** The state of every object, as a reader has it; cursors that did not grow are kept. */
export function createMirror() {
  const objects = new Map<string, Change>();
  const backwards: string[] = [];
  let last = '';
  return {
    objects,
    backwards,
    take(change: Change) {
      if (change.cursor <= last) backwards.push(`${change.cursor} after ${last}`);
      last = change.cursor;
      objects.set(keyOf(change), change);
    },
    alive: () => [...objects.values()].filter(({ deleted }) => !deleted),
  };
}

/** Deps as a server with a database of its own has them: no folder of an embedded one belongs to it. */
const external = (deps: Deps): Deps => ({
  ...deps,
  config: { ...deps.config, DATABASE_URL: urlNow(deps.databaseUrl) },
});

/** Numbers what there is, as a server does at its start. */
export const numberChanges = (deps: Deps) => prepareFeed(external(deps));
export const startNumbering = (deps: Deps, onChange: () => void) => startNumberer(external(deps), onChange);

export type StreamEvent = { id: string | undefined; data: string | undefined };

/** An open stream: what has come so far, as the standard says how to read it. */
export async function openStream(url: string, headers: Record<string, string> = {}) {
  const sent = request(url, { headers, agent: false });
  sent.end();
  const response = await responseTo(sent);
  const events: StreamEvent[] = [];
  const state = { ended: false, comments: 0, text: '' };
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    state.text += text;
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      if (block.startsWith(':')) state.comments += 1;
      if (field('id') !== undefined) events.push({ id: field('id'), data: field('data') });
    }
  });
  const over = () => (state.ended = true);
  response.on('end', over).on('error', over).on('close', over);
  return {
    status: response.statusCode,
    headers: response.headers,
    response,
    state,
    events,
    changes: () => events.flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data) as Change])),
    close: () => void sent.destroy(),
  };
}
