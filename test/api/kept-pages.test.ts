// Pages in memory: those too large for it are sent all the same, and what readers ask for at will pushes out nothing else.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { afterAll, expect, test, vi } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { loadAssets } from '../../src/pages/assets.ts';
import { pageRoutes } from '../../src/pages/routes.ts';
import { settingsOf } from '../../src/pages/setting.ts';
import { createDocuments } from '../../src/site/documents-in-memory.ts';
import { clientOf, startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const baseUrl = () => 'http://data.test';
const documentsOf = (bytes: number) => {
  const cacheBytes = { documents: bytes, frames: 0, units: 0 };
  const deps = { ...api.deps, config: { ...api.deps.config, cacheBytes } };
  return { deps, documents: createDocuments(deps, baseUrl) };
};

/** The service with that much memory for its documents. */
async function serviceWith(bytes: number) {
  const app = await buildApp(documentsOf(bytes).deps, { baseUrl, pushServer: null });
  afterAll(() => app.close());
  return { app, ...clientOf(app, { host: 'data.test' }) };
}

const RUNNERS = 5500;
const cityRun = {
  events: [
    { event_id: 'LJ', event_code: 'LJ', rounds: '1' },
    {
      event_id: 'MAR',
      event_code: 'MAR',
      name: 'Marathon',
      units: [
        {
          round: 1,
          heat: 1,
          results: Array.from({ length: RUNNERS }, (_, index) => ({
            bib: String(index + 1),
            place: index + 1,
            performance: '2:59:59',
            runner_names: ['Runner'],
          })),
        },
      ],
    },
  ],
};

const { page, store } = await uploadsInto(admin);
await store(cityRun);

test('a page too large for memory is sent as HTML, in every encoding, with a weak tag', async () => {
  const path = `${page}/event/MAR/1/1/`;
  const { app, get } = await serviceWith(0);
  const plain = await get(path);
  expect(plain).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(plain.text.match(/<tr data-bib=/g)).toHaveLength(RUNNERS);
  expect(plain.text.length).toBeGreaterThan(1024 * 1024);
  expect(plain.text).toMatch(/<\/html>$/);
  expect(plain.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(plain.headers['etag']).toMatch(/^W\//);
  for (const [encoding, unpack] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const packed = await app.inject({
      url: path,
      headers: { host: 'data.test', 'accept-encoding': encoding },
    });
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(unpack(packed.rawPayload).toString() === plain.text).toBe(true);
  }
  const known = { 'if-none-match': String(plain.headers['etag']) };
  expect((await get(path, known)).status).toBe(304);
  // The tag of a page in one language, from one host, is none of another's.
  expect((await get(`/de${path}`, known)).status).toBe(200);
  expect((await get(path, { ...known, host: 'other.test' })).status).toBe(200);
  await store({ events: [{ event_id: 'MAR', name: 'City marathon' }] });
  expect((await get(path, known)).status).toBe(200);
  expect(await get(`${page}/event/MAR/9/9/`)).toMatchObject({ status: 404 });
});

test('the tag of a page too large for memory changes with the scripts and styles that it names', async () => {
  const assets = await loadAssets();
  const tagWith = async (version: string) => {
    const { deps, documents } = documentsOf(0);
    const originOf = baseUrl;
    const settingOf = settingsOf(deps.config, { assets: { ...assets, version }, originOf, bound: baseUrl });
    const app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
    await app.register(pageRoutes, { deps, documents, settingOf, countRead: null });
    afterAll(() => app.close());
    return (await app.inject(`${page}/event/MAR/1/1/`)).headers['etag'];
  };
  const first = await tagWith('1');
  expect(await tagWith('1')).toBe(first);
  expect(await tagWith('2')).not.toBe(first);
});

test('10,000 documents that readers ask for at will leave the others in memory', async () => {
  const [, , year, countryId, slug] = page.split('/');
  const address = { year: Number(year), countryId: countryId!, slug: slug! };
  const { documents } = documentsOf(1024 * 1024);
  const builds = { usual: 0, atWill: 0 };
  const ask = (key: string, atWill: boolean) =>
    documents.ofCompetition(
      { of: 'competition', reading: 'one statement' },
      {
        address,
        part: {
          key,
          atWill,
          async read() {
            builds[atWill ? 'atWill' : 'usual'] += 1;
            return { pieces: ['a page'.repeat(1000)], revision: String(revision) };
          },
        },
      },
      { naming: 'snake', encoding: 'identity' },
    );
  const { revision } = (await api.get(`${page}/json/`)).body as { revision: number };
  const usual = Array.from({ length: 100 }, (_, index) => `page ${index}`);
  await Promise.all(usual.map((key) => ask(key, false)));
  for (let from = 0; from < 10_000; from += 500)
    await Promise.all(Array.from({ length: 500 }, (_, index) => ask(`search ${from + index}`, true)));
  await Promise.all(usual.map((key) => ask(key, false)));
  expect(builds).toEqual({ usual: 100, atWill: 10_000 });
});

test.each([
  ['searches', (n: number) => ({ path: `/competitors/?q=runner-${n}` })],
  ['pages of a list', (n: number) => ({ path: `/competitors/?page=${n + 2}` })],
  ['wishes for a screen', (n: number) => ({ path: `/event/LJ/1/1/screen/?scale=1.${n}&page=${n + 2}` })],
  ['wishes for a graphic', (n: number) => ({ path: `/overlay/?hold=${n + 1}` })],
  ['names of the host', (n: number) => ({ path: '/', host: `host-${n}.test` })],
])('%s are such documents', async (_, asking) => {
  // Room for little more than the page itself.
  const { get } = await serviceWith(24_000);
  const read = () => get(`${page}/event/LJ/1/1/`);
  await read();
  for (let n = 0; n < 25; n += 1) {
    const { path, host = 'data.test' } = { host: undefined, ...asking(n) };
    expect((await get(page + path, { host: host ?? 'data.test' })).status).toBe(200);
  }
  const connect = vi.spyOn(api.deps.reads.$client, 'connect');
  await read();
  // The revision is asked for, and nothing is read.
  expect(connect).toHaveBeenCalledTimes(1);
  connect.mockRestore();
});
