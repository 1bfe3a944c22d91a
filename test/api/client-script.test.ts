import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

const SCRIPT = '/assets/pusher.js';

let api: TestApp;
beforeAll(async () => {
  // Pages live on while the service is in maintenance.
  api = await startTestApp({ MAINTENANCE_MODE: 'true' });
});
afterAll(() => api.close());

test('the push client can be loaded by any page, and by caches, as what it is', async () => {
  const { status, headers, text } = await api.get(SCRIPT);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=86400',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  });
  expect(text).toMatch(/^\/\*!\n \* Pusher JavaScript Library v8\.6\.0/);
  expect(text).toContain('Released under the MIT licence');
  expect(text).not.toContain('sourceMappingURL');
});

test('it comes compressed, and not at all to who has it', async () => {
  const plain = await api.get(SCRIPT);
  const packed = await api.app.inject({ url: SCRIPT, headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.text);
  expect(packed.headers['etag']).not.toBe(plain.headers['etag']);
  const again = await api.get(SCRIPT, { 'if-none-match': String(plain.headers['etag']) });
  expect(again).toMatchObject({ status: 304, text: '' });
});

test('there is nothing else', async () => {
  expect((await api.get('/assets/pusher.min.js.map')).status).toBe(404);
  expect((await api.get('/assets/../package.json')).status).toBe(404);
  expect((await api.request({ method: 'POST', url: SCRIPT })).status).toBe(405);
});
