// The stream of changes: from the cursor on, without a gap, to whoever reads; and what becomes of those who do not.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ChangeFilter } from '../../src/changes/change.ts';
import { parseCursor } from '../../src/changes/cursor.ts';
import { type ChangeStreams, createChangeStreams } from '../../src/changes/streams.ts';
import { connectReads } from '../../src/db/client.ts';
import { createMirror, keyOf, openStream, type Page } from '../helpers/feed.ts';
import { type ApiClient, get, signedIn } from '../helpers/http-client.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

const soon = { timeout: 15_000, interval: 10 };
const FEED = '/api/v1/changes';

async function world(extra: Record<string, string> = {}) {
  const env = { ...(await databaseEnvironment()), ...extra };
  const server = await serve(env);
  const api = await signedIn(server.baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR', 'ADMIN_FRA'));
  const stream = async (query = '', headers: Record<string, string> = {}) => {
    const opened = await openStream(`${server.baseUrl}${FEED}/stream${query}`, headers);
    onTestFinished(opened.close);
    return opened;
  };
  return { ...server, env, api, stream, feed: `${server.baseUrl}${FEED}` };
}

async function newMeeting(api: ApiClient, slug: string, country_id = 'GBR') {
  const { body } = await api('POST', '/competitions/', {
    full_name: `Meeting ${slug}`,
    slug,
    country_id,
    date: '2026-07-18',
    events: [{ event_id: 'T1', event_code: '100', units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }] }],
  });
  const path = `/competitions/${body.id}`;
  const unit = `${path}/events/T1/units/1/1`;
  const save = async (status: string) => (await api('PATCH', unit, { status })).body.revision as number;
  return { id: String(body.id), path, save };
}

const read = async (feed: string, query = '') => (await get(`${feed}${query}`)).body as Page;

it('begins with everything, goes on as it happens, and after a break where it was', async () => {
  const { api, stream, feed } = await world();
  const one = await newMeeting(api, 'one');
  const first = await stream();
  expect(first).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      'access-control-allow-origin': '*',
      'x-accel-buffering': 'no',
    },
  });
  await vi.waitFor(() => expect(first.changes()).toHaveLength(3), soon);
  const revision = await one.save('live');
  await vi.waitFor(() => expect(first.changes().at(-1)).toMatchObject({ type: 'unit', revision }), soon);
  const told = first.changes();
  expect(first.events.map(({ id }) => id)).toEqual(told.map(({ cursor }) => cursor));
  first.close();

  await newMeeting(api, 'two');
  const last = await one.save('finished');
  const cursor = told.at(-1)!.cursor;
  // What the browser has counts before the address, which is still that of the beginning.
  const second = await stream(`?after=${told[0]!.cursor}`, { 'last-event-id': cursor });
  await vi.waitFor(() => expect(second.changes()).toHaveLength(4), soon);
  expect(second.changes()).toContainEqual(expect.objectContaining({ type: 'unit', revision: last }));
  const page = await read(feed, `?after=${cursor}`);
  expect(second.changes()).toEqual(page.changes);
  await api('DELETE', one.path);
  await vi.waitFor(() => expect(second.changes().filter(({ deleted }) => deleted)).toHaveLength(3), soon);
  const mirror = createMirror();
  for (const change of [...told, ...second.changes()]) mirror.take(change);
  expect([mirror.backwards, mirror.alive().length]).toEqual([[], 3]);
});

it('tells of what was asked for, and hears through every replica', async () => {
  const { api, stream, env } = await world();
  const other = await serve(env);
  const [british, french] = [await newMeeting(api, 'british'), await newMeeting(api, 'french', 'FRA')];
  await vi.waitFor(async () => expect((await read(`${other.baseUrl}${FEED}`)).changes).toHaveLength(6), soon);
  const { next } = await read(`${other.baseUrl}${FEED}`);
  const units = await stream(`?country=FRA&types=unit&after=${next}`);
  const elsewhere = await openStream(
    `${other.baseUrl}${FEED}/stream?competition=${british.id}&after=${next}`,
  );
  onTestFinished(elsewhere.close);
  await api('POST', french.path, { city: 'Lyon' });
  await british.save('live');
  const revision = await french.save('live');
  await vi.waitFor(() => expect(units.changes()).toMatchObject([{ revision, country_id: 'FRA' }]), soon);
  await vi.waitFor(() => expect(elsewhere.changes().map(keyOf)).toEqual([`${british.id} unit T1 1 1`]), soon);
});

it('is told of by its head, which is no stream; ends with the process that it came from, in good order and without holding it up', async () => {
  const { stream, stop, feed, written } = await world();
  const head = await fetch(`${feed}/stream`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const open = await stream();
  await sleep(1100);
  const since = performance.now();
  await stop();
  // As long as its reader liked.
  expect(written.stdout).not.toMatch(/changes\/stream.*slow request/);
  expect(open.state.ended).toBe(true);
  expect(open.response.complete).toBe(true);
  // Running requests may take five seconds; a stream is not waited for.
  expect(performance.now() - since).toBeLessThan(4500);
});

it('is refused when too many are open, from one address or in all, and a place that was left is free again', async () => {
  const { stream } = await world({ PUSH_MAX_CONNECTIONS_PER_ADDRESS: '2' });
  const open = [await stream(), await stream()];
  const refused = await stream();
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
  open[0]!.close();
  await vi.waitFor(async () => expect((await stream()).status).toBe(200), soon);
  const few = await world({ PUSH_MAX_CONNECTIONS: '1' });
  expect([(await few.stream()).status, (await few.stream()).status]).toEqual([200, 503]);
});

it('breaks off where its epoch ends, and tells the reader who comes back where to begin', async () => {
  const { api, stream, env, feed } = await world();
  const { save } = await newMeeting(api, 'restored');
  const open = await stream();
  await vi.waitFor(() => expect(open.events).toHaveLength(3), soon);
  await runSql(env.DATABASE_URL, `update change_feed set epoch = '0123456789ab'`);
  await save('live');
  await vi.waitFor(() => expect(open.state.ended).toBe(true), soon);
  const back = await stream('', { 'last-event-id': open.events.at(-1)!.id! });
  await vi.waitFor(() => expect(back.state.text).toContain(`"snapshot":"${feed}"`), soon);
  expect(back.status).toBe(410);
});

/** Streams alone, over real connections. */
async function bareStreams(databaseUrl: string, beatMs: number) {
  const db = connectReads(databaseUrl, () => {}, 2);
  const log = pino({ level: 'silent' });
  const streams: ChangeStreams = createChangeStreams({ db, log, max: 10, maxPerAddress: 10, beatMs });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { searchParams } = new URL(request.url!, 'http://data.test');
    const filter: ChangeFilter = searchParams.get('country')
      ? { countryIds: [searchParams.get('country')!] }
      : {};
    const after = parseCursor(searchParams.get('after') ?? '');
    const origin = 'http://data.test';
    const admitted = await streams.admit({ after, filter, origin, address: 'one' });
    response.writeHead(200).write(':\n\n');
    admitted.start(response);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    streams.close();
    server.close();
    await db.$client.end();
  });
  return { streams, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

it('is heard from while nothing changes, and learns where it would go on when nothing concerns it', async () => {
  const { api, env, feed } = await world();
  const { streams, url } = await bareStreams(env.DATABASE_URL, 50);
  const open = await openStream(`${url}?country=FRA`);
  await vi.waitFor(() => expect(open.state.comments).toBeGreaterThan(2), soon);
  await newMeeting(api, 'silent');
  await vi.waitFor(async () => expect((await read(feed)).changes).toHaveLength(3), soon);
  streams.wake();
  const { next } = await read(feed);
  await vi.waitFor(() => expect(open.events).toEqual([{ id: next, data: undefined }]), soon);
  open.close();
});

it('is cut off when its reader takes nothing, and others go on', async () => {
  const { api, env } = await world();
  const { streams, url } = await bareStreams(env.DATABASE_URL, 15_000);
  const [idle, busy] = [await openStream(url), await openStream(url)];
  onTestFinished(busy.close);
  idle.response.pause();
  const { id } = await newMeeting(api, 'many');
  const renumbered = `with more as (
      insert into changes select competition_id, 'unit', event_id, '', round, n, (select last from change_feed) + n,
        1, 1, false, now() from changes, generate_series(2, 5000) n
      where competition_id = '${id}' and type = 'unit' and heat = 1 on conflict (competition_id, type, event_id, object_id, round, heat)
        do update set number = excluded.number
    ) update change_feed set last = last + 5000`;
  await vi.waitFor(() => expect(busy.changes()).toHaveLength(0), soon);
  await vi.waitFor(async () => {
    await runSql(env.DATABASE_URL, renumbered);
    streams.wake();
    await vi.waitFor(() => expect(streams.count()).toBe(1), { timeout: 500, interval: 10 });
  }, soon);
  expect(busy.state.ended).toBe(false);
});
