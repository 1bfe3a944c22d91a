// Readers of the change feed while processes that write and serve it are killed: nobody misses the newest state of anything.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { report } from '../helpers/figures.ts';
import { type Change, createMirror, keyOf, openStream, type Page } from '../helpers/feed.ts';
import { freePort } from '../helpers/free-port.ts';
import { get, signIn, withToken } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { LOSES_NOTHING } from '../helpers/loses-nothing.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

/** Each process is killed once, and again for as long. */
const WRITING_MS = byLength(0, 30_000);
const BETWEEN_KILLS_MS = byLength(400, 4000);
const WRITERS = byLength(4, 8);
const FEED = '/api/v1/changes';
const LIMIT = 7;

type Replica = { baseUrl: string; kill: () => Promise<unknown> };

/** Two processes on one database, each always on the same port. */
async function replicas() {
  const env = { ...(await databaseEnvironment()), RATE_LIMIT_WRITE: '0', RATE_LIMIT_LOGIN: '0' };
  const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
  const ports = [await freePort(), await freePort()];
  const start = async (index: number): Promise<Replica> => {
    const server = await startServerProcess({ ...env, PORT: String(ports[index]) });
    return { baseUrl: server.baseUrl, kill: () => server.kill('SIGKILL') };
  };
  // In a short run each is killed once.
  const startInside = async (index: number): Promise<Replica> => {
    const { baseUrl, stop } = await serve({ ...env, PORT: String(ports[index]) });
    return { baseUrl, kill: stop };
  };
  const again = byLength(startInside, start);
  const running = await Promise.all([start(0), start(1)]);
  const token = await signIn(running[0].baseUrl, account);
  return { env, again, running, token };
}

type World = Awaited<ReturnType<typeof replicas>>;

/** Whichever replica answers: the one that lives. */
function apiOf({ running, token }: World) {
  return async (method: string, path: string, body?: unknown, until: () => boolean = () => false) => {
    for (let tries = 0; !until(); tries += 1) {
      const api = withToken(running[tries % 2]!.baseUrl, token);
      const reply = await api(method, path, body).catch(() => undefined);
      if (reply && reply.status! < 500) return reply;
      await sleep(20);
    }
    return undefined;
  };
}

const meeting = (name: string) => ({
  full_name: `Meeting ${name}`,
  slug: name,
  country_id: 'GBR',
  date: '2026-07-18',
  competitors: [{ competitor_id: '1', last_name: 'Lind' }],
  events: ['T1', 'T2'].map((event_id) => ({
    event_id,
    event_code: '100',
    units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }],
  })),
});

/** Saves, uploads, renames and deletes, one after the other, in a competition of its own and in others that come and go. */
async function write(world: World, writer: number, over: () => boolean): Promise<number> {
  const api = apiOf(world);
  const own = await api('POST', '/competitions/', meeting(`own-${writer}`));
  const path = `/competitions/${own!.body.id}`;
  // Half of them push: those ring, the others are looked for.
  if (writer % 2) await api('PATCH', `${path}/settings`, { push_notifications: true });
  let n = 0;
  for (; !over(); n += 1) {
    const performance = (10 + n / 100).toFixed(2);
    await api('PATCH', `${path}/events/T1/units/1/1`, { results: [{ bib: '1', performance }] });
    const step = n % 6;
    if (step === 1)
      await api('POST', path, { competitors: [{ competitor_id: `c${n % 9}`, last_name: `${n}` }] });
    if (step === 2) await api('DELETE', `${path}/competitors/c${(n - 1) % 9}`);
    if (step === 3) await api('POST', path, { slug: `own-${writer}-${n}` });
    if (step === 4) await api('DELETE', `${path}/events/T2`);
    if (step === 5) await api('POST', path, { events: meeting('').events });
    if (n % 10 === 9) {
      const name = `passing-${writer}-${n}`;
      const passing = await api('POST', '/competitions/', meeting(name));
      if (passing?.body?.id) await api('DELETE', `/competitions/${passing.body.id}`);
    }
  }
  return n;
}

/** Asks for a few changes at a time, of whichever replica answers, until it is told to end and there is nothing more. */
async function poll({ running }: World, take: (change: Change) => void, over: () => boolean) {
  let after = '';
  let pages = 0;
  for (let tries = 0; ; tries += 1) {
    const ending = over();
    const url = `${running[tries % 2]!.baseUrl}${FEED}?limit=${LIMIT}&after=${after}`;
    const reply = await get(url).catch(() => undefined);
    if (reply?.status !== 200) {
      if (reply && reply.status !== 503) throw new Error(`${reply.status} ${reply.text}`);
      await sleep(20);
      continue;
    }
    const page = reply.body as Page;
    page.changes.forEach(take);
    after = page.next;
    pages += 1;
    if (ending && !page.more) return pages;
    if (!page.more) await sleep(30);
  }
}

/** Connects again, as browsers do, each time to the other replica. */
async function listen({ running }: World, take: (change: Change) => void, over: () => boolean) {
  let last = '';
  let streams = 0;
  for (let tries = 0; !over(); tries += 1) {
    const headers = last === '' ? {} : { 'last-event-id': last };
    const url = `${running[tries % 2]!.baseUrl}${FEED}/stream`;
    const stream = await openStream(url, headers as Record<string, string>).catch(() => undefined);
    if (stream?.status !== 200) {
      stream?.close();
      await sleep(50);
      continue;
    }
    streams += 1;
    for (let taken = 0; ;) {
      for (const change of stream.changes().slice(taken)) {
        take(change);
        last = change.cursor;
        taken += 1;
      }
      if (stream.state.ended || over()) break;
      await sleep(20);
    }
    stream.close();
  }
  return streams;
}

async function readAll(baseUrl: string): Promise<Change[]> {
  const changes: Change[] = [];
  for (let page: Page | undefined; page?.more !== false; changes.push(...page.changes)) {
    page = (await get(`${baseUrl}${FEED}?after=${page?.next ?? ''}`)).body as Page;
  }
  return changes;
}

// What is gone has no address any more that could be the newest.
const stateOf = ({ cursor: _cursor, url, slug, ...rest }: Change) =>
  JSON.stringify(rest.deleted ? rest : { ...rest, slug, path: new URL(url).pathname });

const states = (changes: Change[]) => changes.map(stateOf).toSorted();

const STORED = `
  select id as competition_id, concat_ws(' ', id, 'competition') as key, revision from competitions
  union all select competition_id, concat_ws(' ', competition_id, 'event', event_id), null from events
  union all select competition_id, concat_ws(' ', competition_id, 'competitor', competitor_id), null from competitors
  union all select competition_id, concat_ws(' ', competition_id, 'unit', event_id, round, heat), revision from units`;

it(
  'a poller and a listener have the newest state of everything, whatever was killed while it was written',
  LOSES_NOTHING,
  async () => {
    const world = await replicas();
    const state = { written: false, settled: false };
    onTestFinished(() => {
      state.written = state.settled = true;
    });
    const [polled, heard] = [createMirror(), createMirror()];
    const polling = poll(
      world,
      (change) => polled.take(change),
      () => state.settled,
    );
    const listening = listen(
      world,
      (change) => heard.take(change),
      () => state.settled,
    );
    const endMs = performance.now() + WRITING_MS;
    const writing = Array.from({ length: WRITERS }, (_, writer) => write(world, writer, () => state.written));
    let kills = 0;
    for (; kills < 2 || performance.now() < endMs; kills += 1) {
      await sleep(BETWEEN_KILLS_MS);
      const index = kills % 2;
      await world.running[index]!.kill();
      world.running[index] = await world.again(index);
    }
    await sleep(BETWEEN_KILLS_MS / 2);
    state.written = true;
    const writes = (await Promise.all(writing)).reduce((sum, n) => sum + n, 0);

    const stored = new Map(
      (await runSql(world.env.DATABASE_URL, STORED)).map(({ key, revision }) => [key!, revision]),
    );
    const isNewest = ({ alive }: typeof polled) => {
      const mine = new Map(alive().map((change) => [keyOf(change), change]));
      const missing = [...stored.keys()].filter((key) => !mine.has(key));
      const left = [...mine.keys()].filter((key) => !stored.has(key));
      const outdated = [...stored].filter(
        ([key, revision]) =>
          revision !== null && mine.has(key) && mine.get(key)!.revision !== Number(revision),
      );
      return { missing, left, outdated: outdated.map(([key]) => key) };
    };
    const none = { missing: [], left: [], outdated: [] };
    await expect.poll(() => [isNewest(polled), isNewest(heard)]).toEqual([none, none]);

    // Addresses too are the newest, of everything, and a fresh reader is told the same, each object once.
    const fresh = await readAll(world.running[0].baseUrl);
    const once = new Map(fresh.map((change) => [keyOf(change), change]));
    expect(once.size).toBe(fresh.length);
    // The last ones may still be on their way: what has a revision comes before what has only got another address.
    const known = ({ objects }: typeof polled) => states([...once.keys()].map((key) => objects.get(key)!));
    await expect.poll(() => [known(polled), known(heard)]).toEqual([states(fresh), states(fresh)]);
    state.settled = true;
    const [pages, streams] = await Promise.all([polling, listening]);
    expect([polled.backwards, heard.backwards]).toEqual([[], []]);
    report({ writes, kills, objects: stored.size, pages, streams });
    expect(writes).toBeGreaterThan(WRITERS);
  },
);
