import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { startTestApp } from '../helpers/app.ts';
import { responseTo } from '../helpers/http-client.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const EVENTS = 120;

const api = await startTestApp();
const cacheBytes = { documents: 0, frames: 0, units: 0 };
const small = await buildApp(
  { ...api.deps, config: { ...api.deps.config, cacheBytes } },
  { baseUrl: () => 'http://data.test', pushServer: null },
);
await small.listen({ port: 0, host: '127.0.0.1' });
afterAll(async () => {
  await small.close();
  await api.close();
});
const { port } = small.server.address() as AddressInfo;
const admin = await api.as('ADMIN_GBR');

// Of text that no compression makes small: some 13 MB, which no socket takes by itself.
const large = await uploadsInto(admin, {});
for (let from = 0; from < EVENTS; from += 40)
  await large.store({
    events: Array.from({ length: 40 }, (_, n) => ({
      event_id: `E${from + n}`,
      event_code: '100',
      units: [1, 2, 3, 4, 5, 6, 7, 8].map((heat) => ({
        round: 1,
        heat,
        note: randomBytes(11_000).toString('base64'),
      })),
    })),
  });
const other = await uploadsInto(admin, { events: [{ event_id: 'E', rounds: '1' }] });
const LARGE = `${large.page}/json/`;
const OTHER = `${other.page}/json/`;

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const asked = request({ port, host: '127.0.0.1', path, headers, method }).end();
  return responseTo(asked);
}
async function readWhole(path: string, headers: Record<string, string> = {}) {
  const response = await ask(path, headers);
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

test('a document too large for memory is streamed, the same as from memory, with a weak tag of its version', async () => {
  const kept = await api.get(LARGE);
  const plain = await readWhole(LARGE);
  expect(plain).toMatchObject({ status: 200, headers: { 'transfer-encoding': 'chunked' } });
  expect(plain.body.toString() === kept.text).toBe(true);
  expect(plain.headers.etag).toMatch(/^W\/"\d+\./);
  for (const [encoding, unpack] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const packed = await readWhole(LARGE, { 'accept-encoding': encoding });
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
    expect(unpack(packed.body).toString() === kept.text).toBe(true);
  }
  const known = { 'if-none-match': plain.headers.etag! };
  expect(await readWhole(LARGE, known)).toMatchObject({ status: 304, body: Buffer.alloc(0) });
  await large.store({ city: `Harbour ${plain.headers.etag}` });
  const changed = await readWhole(LARGE, known);
  expect(changed.status).toBe(200);
  expect(changed.headers.etag).not.toBe(plain.headers.etag);
  const { headers } = await ask(LARGE, {}, 'HEAD');
  expect(headers.etag).toBe(changed.headers.etag);
});

test.each([2, 6])('%d readers who take nothing of it do not hold up others', async (many) => {
  await readWhole(LARGE);
  const readers: IncomingMessage[] = [];
  const asked = Array.from({ length: many }, () =>
    request({ port, host: '127.0.0.1', path: LARGE })
      .on('response', (response) => readers.push(response))
      .on('error', () => {})
      .end(),
  );
  // The others wait for their turn.
  await expect.poll(() => readers).toHaveLength(2);
  expect((await readWhole(OTHER)).status).toBe(200);
  expect((await readWhole('/x/2026/json/')).status).toBe(200);
  expect((await readWhole(`${large.page}/event/E1/json/`)).status).toBe(200);
  for (const reader of asked) reader.destroy();
  // What they held is given back.
  expect((await readWhole(LARGE)).status).toBe(200);
  const { $client } = api.deps.reads;
  await expect.poll(() => $client.totalCount - $client.idleCount).toBe(0);
});

test('calendars of years and countries without competitions take no room in memory', async () => {
  const first = await api.get(OTHER);
  const reads = vi.spyOn(api.deps.reads.$client, 'connect');
  const empty = await api.get('/x/2199/FRA/json/', { 'accept-encoding': 'br' });
  expect(empty).toMatchObject({ status: 200, text: '[]' });
  // Only the version is asked for, and nothing is built.
  expect(reads).toHaveBeenCalledTimes(1);
  expect((await api.get('/en/x/1999/json?case=camel')).text).toBe('[]');
  expect(reads).toHaveBeenCalledTimes(2);
  expect((await api.get('/x/2199/FRA/json', { 'if-none-match': String(empty.headers['etag']) })).status).toBe(
    304,
  );
  expect((await api.get(OTHER)).headers['etag']).toBe(first.headers['etag']);
  reads.mockRestore();
});
