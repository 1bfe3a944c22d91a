import { once } from 'node:events';
import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayCall, urlFault } from '../../src/webhooks/addresses.ts';
import { createCaller } from '../../src/webhooks/caller.ts';

const PRIVATE =
  `127.0.0.1 127.255.255.254 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 ::1
  fc00::1 fd12:3456::1 fe80::1`.split(/\s+/);
const NEVER =
  `0.0.0.0 0.1.2.3 192.0.0.8 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1
  64:ff9b::10.0.0.1 64:ff9b:1::1 2002:7f00:1:: 2001::1 2001:db8::1 3fff::1 ff02::1 fec0::1 fe80::1%eth0 1000::1 4000::1
  localhost 127.1 rubbish`.split(/\s+/);
const PUBLIC =
  '8.8.8.8 1.1.1.1 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 198.20.0.1 2a00:1450::1 2606:4700::1111'.split(
    ' ',
  );

describe('addresses', () => {
  it.each(PRIVATE)('%s is called where private ones are allowed, and nowhere else', (address) => {
    expect([mayCall(address, false), mayCall(address, true)]).toEqual([false, true]);
  });
  it.each(NEVER)('%s is never called', (address) => {
    expect([mayCall(address, false), mayCall(address, true)]).toEqual([false, false]);
  });
  it.each(PUBLIC)('%s is called', (address) => {
    expect(mayCall(address, false)).toBe(true);
  });
});

const LOCAL =
  `127.0.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 127.1 127.0.0.1. %31%32%37.0.0.1 ①②⑦.0.0.1 [::1] [::ffff:127.0.0.1]
  [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::] 0 localhost LOCALHOST. x.localhost`.split(
    /\s+/,
  );

describe('a URL', () => {
  it.each(LOCAL)('https://%s/ is refused as it is sent', (host) => {
    expect(urlFault(`https://${host}/`, false)).toBe('Leads to an address that is not public');
  });
  it.each([
    'http://scores.example.org/',
    'ftp://scores.example.org/',
    'https://user:secret@scores.example.org/',
    'https://scores.example.org/#part',
    'scores.example.org',
    'https://',
    `https://scores.example.org/${'x'.repeat(2000)}`,
  ])('%s is refused', (url) => {
    expect(urlFault(url, false)).not.toBeNull();
  });
  it.each(['https://scores.example.org/a?b=c', 'https://8.8.8.8:8443/', 'https://[2606:4700::1111]/'])(
    '%s is taken',
    (url) => {
      expect(urlFault(url, false)).toBeNull();
    },
  );
  it('may be http and private where that is allowed', () => {
    expect(urlFault('http://192.168.1.20:8080/hook', true)).toBeNull();
    expect(urlFault('http://0.0.0.0/', true)).not.toBeNull();
  });
});

const v4 = (address: string) => ({ address, family: 4 });
const v6 = (address: string) => ({ address, family: 6 });

describe('a call', () => {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    if (request.url === '/redirect') response.writeHead(302, { location: '/other' });
    response.end();
  });
  let port = 0;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => void server.close());

  const REFUSED = { error: 'leads to an address that is not public' };
  const none = new AbortController().signal;

  async function call(host: string, path = '/', answers: LookupAddress[][] = [], allowPrivate = false) {
    const before = calls;
    let asked = 0;
    const resolve = async () => answers[Math.min(asked++, answers.length - 1)] ?? [];
    const caller = createCaller({ allowPrivate, resolve, timeoutMs: 5000 });
    const made = await caller.call({ url: `http://${host}:${port}${path}`, headers: {}, body: '{}' }, none);
    await caller.close();
    return { made, arrived: calls - before, asked };
  }

  it.each(LOCAL.filter((host) => !/localhost/i.test(host)))('to %s connects to nothing', async (host) => {
    expect(await call(host)).toMatchObject({ made: REFUSED, arrived: 0 });
  });

  it.each([
    ['a private address', [v4('127.0.0.1')]],
    ['a private one among public ones', [v4('8.8.8.8'), v4('10.0.0.1')]],
    ['a mapped one', [v6('::ffff:127.0.0.1')]],
    ['one behind NAT64', [v6('64:ff9b::7f00:1')]],
  ])('to a name that has %s connects to nothing', async (_, addresses) => {
    expect(await call('rebound.example.org', '/', [addresses])).toMatchObject({ made: REFUSED, arrived: 0 });
  });

  it('asks for a name once, for the connection itself: there is nothing to change in between', async () => {
    const { made, arrived, asked } = await call('rebound.example.org', '/', [[v4('127.0.0.1')], []], true);
    expect({ made, arrived, asked }).toMatchObject({ made: { status: 200 }, arrived: 1, asked: 1 });
    const rebound = await call('rebound.example.org', '/', [[v4('127.0.0.1')], [v4('8.8.8.8')]]);
    expect(rebound).toMatchObject({ made: REFUSED, arrived: 0, asked: 1 });
  });

  it('follows no redirect', async () => {
    expect(await call('127.0.0.1', '/redirect', [], true)).toMatchObject({
      made: { status: 302 },
      arrived: 1,
    });
  });
});
