import { afterAll, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { clientOf, startTestApp } from '../helpers/app.ts';

const api = await startTestApp();
afterAll(api.close);

/** The service with these settings, listening on 127.0.0.1:3000. */
async function service(env: Record<string, string>) {
  const config = loadConfig({ DATA_DIR: api.deps.config.DATA_DIR, ...env });
  const app = await buildApp(
    { ...api.deps, config },
    { baseUrl: () => config.BASE_URL ?? 'http://127.0.0.1:3000', pushServer: null },
  );
  return { ...clientOf(app), close: () => app.close() };
}

const BOUND = { host: '127.0.0.1', port: 3000, tls: false };
const ON_LAN = { host: '192.168.1.20', port: 3000, tls: false };
const FORWARDED = {
  host: '127.0.0.1:3000',
  'x-forwarded-host': 'results.example.org',
  'x-forwarded-proto': 'https',
};
const SERVICE = { PUSHER_APP_ID: '1', PUSHER_KEY: 'key', PUSHER_SECRET: 'a secret', PUSHER_HOST: 'push' };

test.for<[string, Record<string, string>, Record<string, string>, object]>([
  ['the address in a network', {}, { host: '192.168.1.20:3000' }, ON_LAN],
  ['a name', {}, { host: 'Stadium.local' }, { host: 'stadium.local', port: 80, tls: false }],
  ['an address of version 6', {}, { host: '[fd00::5]:3000' }, { host: '[fd00::5]', port: 3000, tls: false }],
  ['what is no host', {}, { host: 'a;b' }, BOUND],
  ['a host that is much too long', {}, { host: 'a.'.repeat(4000) }, BOUND],
  ['a proxy that nobody trusts', {}, { ...FORWARDED, host: '192.168.1.20:3000' }, ON_LAN],
  [
    'a trusted proxy',
    { TRUST_PROXY: 'true' },
    FORWARDED,
    { host: 'results.example.org', port: 443, tls: true },
  ],
  ['a trusted proxy of what is no host', { TRUST_PROXY: '1' }, { 'x-forwarded-host': 'a b' }, BOUND],
  [
    'BASE_URL',
    { BASE_URL: 'https://results.example.org' },
    { host: '192.168.1.20:3000' },
    { host: 'results.example.org', port: 443, tls: true },
  ],
  [
    'PUSHER_PUBLIC_HOST',
    { PUSHER_PUBLIC_HOST: 'push.example.org' },
    { host: '192.168.1.20:8080' },
    { host: 'push.example.org', port: 3000, tls: false },
  ],
  [
    'a push service of its own',
    SERVICE,
    { host: '192.168.1.20:3000' },
    { host: 'push', port: 443, tls: true },
  ],
])('push clients that come by %s are told where it is', async ([, env, headers, endpoint]) => {
  const { get, close } = await service(env);
  const answer = await get('/api/v1/push', headers);
  expect(answer.status).toBe(200);
  const { host, port, tls } = answer.body;
  expect({ host, port, tls }).toEqual(endpoint);
  // The next reader may come by another address.
  expect(answer.headers['cache-control']).toBe('no-store');
  await close();
});

test('the API document says that the service is where it was asked', async () => {
  const { get, close } = await service({});
  for (const [host, url] of [
    ['192.168.1.20:3000', 'http://192.168.1.20:3000'],
    ['"><script>', 'http://127.0.0.1:3000'],
  ] as const) {
    const { body, headers } = await get('/openapi.json', { host });
    expect(body.servers).toEqual([{ url }]);
    expect(headers['cache-control']).toBe('no-store');
  }
  await close();
});
