import { describe, expect, test } from 'vitest';
import { originAsked, originsOf, ownOrigins } from '../../src/http/asked-origin.ts';

const label = (length: number) => 'a'.repeat(length);
const LONGEST = [label(63), label(63), label(63), label(61)].join('.');

describe('the origin that a request asked', () => {
  test.for<[string, string]>([
    ['192.168.1.20:3000', 'http://192.168.1.20:3000'],
    ['10.0.0.7', 'http://10.0.0.7'],
    ['Stadium-PC.local:8080', 'http://stadium-pc.local:8080'],
    ['laptop', 'http://laptop'],
    ['results.example.org:80', 'http://results.example.org'],
    ['3com.example', 'http://3com.example'],
    ['xn--mnchen-3ya.example', 'http://xn--mnchen-3ya.example'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['[2001:DB8:0::5]', 'http://[2001:db8::5]'],
    ['[::ffff:10.0.0.7]:1', 'http://[::ffff:a00:7]:1'],
    ['host:65535', 'http://host:65535'],
    [`${LONGEST}:65534`, `http://${LONGEST}:65534`],
  ])('%s is %s', ([host, origin]) => {
    expect(originAsked(host, 'http')).toBe(origin);
  });

  test('is https where a proxy says so, and nothing but that or http', () => {
    expect(originAsked('results.example.org:443', 'https')).toBe('https://results.example.org');
    expect(originAsked('results.example.org', 'javascript')).toBe('http://results.example.org');
  });

  test.for([
    '',
    ' ',
    'a b',
    'host:',
    'host:0',
    'host:080',
    'host:65536',
    'host:123456',
    'host:80:80',
    ':3000',
    'user@host',
    'user:secret@host:1',
    'host/path',
    'host?query',
    'host#part',
    'host\\path',
    'a..b',
    '.host',
    'host.',
    '-host',
    'host-',
    'my_pc',
    'münchen.example',
    'host%20name',
    '"onload=',
    '<script>',
    "a;script-src 'unsafe-inline'",
    'a,b',
    'a\r\nb',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0x7f000001',
    '010.0.0.1',
    '256.0.0.1',
    '1.2.3.4.5',
    '::1',
    '[::1',
    '[]',
    '[:::]',
    '[1:2]',
    '[fe80::1%eth0]',
    '[::1]x',
    '[127.0.0.1]',
    `${label(64)}.example`,
    `${LONGEST}a`,
    'a.'.repeat(5000),
  ])('%j is nowhere', (host) => {
    expect(originAsked(host, 'http')).toBeNull();
  });
});

const bound = () => 'http://127.0.0.1:3000';

describe('the origin of links', () => {
  test('is the host that was asked, and where the server listens when nobody can have asked that', () => {
    const originOf = originsOf({ BASE_URL: undefined }, bound);
    expect(originOf({ host: '192.168.1.20:3000', protocol: 'http' })).toBe('http://192.168.1.20:3000');
    expect(originOf({ host: 'a b', protocol: 'http' })).toBe('http://127.0.0.1:3000');
    expect(originOf({ host: '', protocol: 'http' })).toBe('http://127.0.0.1:3000');
  });

  test('is BASE_URL where that is set, whatever was asked', () => {
    const originOf = originsOf({ BASE_URL: 'https://results.example.org' }, bound);
    expect(originOf({ host: '192.168.1.20:3000', protocol: 'http' })).toBe('https://results.example.org');
  });
});

describe('a host is certainly ours', () => {
  const isOwn = ownOrigins({ BASE_URL: undefined }, bound);
  const asked = (host: string, localAddress: string, localPort = 3000) =>
    isOwn({ host, protocol: 'http', socket: { localAddress, localPort } as never });

  test.each([
    ['127.0.0.1:3000', '192.168.1.20'],
    ['a b', '192.168.1.20'],
    ['192.168.1.20:3000', '192.168.1.20'],
    ['192.168.1.20:3000', '::ffff:192.168.1.20'],
    ['[fe80::1]:3000', 'fe80::1'],
  ])('%s, asked at %s', (host, localAddress) => {
    expect(asked(host, localAddress)).toBe(true);
  });

  test('192.168.1.20 at the usual port', () => {
    expect(asked('192.168.1.20', '192.168.1.20', 80)).toBe(true);
  });

  test.each(['results.example.org', '192.168.1.21:3000', '192.168.1.20:3001', '192.168.1.20'])(
    'and %s, asked at 192.168.1.20:3000, may be anything',
    (host) => {
      expect(asked(host, '192.168.1.20')).toBe(false);
    },
  );

  test('where BASE_URL is set, whatever was asked', () => {
    const request = { host: 'made-up.example', protocol: 'http' as const, socket: {} as never };
    expect(ownOrigins({ BASE_URL: 'https://results.example.org' }, bound)(request)).toBe(true);
  });
});
