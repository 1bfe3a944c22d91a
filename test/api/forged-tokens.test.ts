// Tokens that somebody else made, who may even know the secret.
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { TOKEN_SECONDS } from '../../src/accounts/authenticate.ts';
import { startTestApp } from '../helpers/app.ts';

const api = await startTestApp();
afterAll(api.close);
const SECRET = api.deps.jwtSecrets[0];
const { id: sub } = await api.as();

const me = (authorization?: string) =>
  api.get('/api/v1/auth/me', authorization === undefined ? {} : { authorization });

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

function forge(header: object, claims: object, secret = SECRET, digest = 'sha256') {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac(digest, secret).update(signed).digest('base64url')}`;
}

describe('authentication', () => {
  const now = api.clock.now.getTime() / 1000;
  const exp = now + 3600;
  const OURS = { iss: 'urn:test', aud: 'urn:test', epoch: 0, iat: now };
  const HS256 = { alg: 'HS256', typ: 'JWT' };
  it('accepts a token signed with the secret', async () => {
    expect((await me(`Bearer ${forge(HS256, { ...OURS, sub, exp })}`)).status).toBe(200);
  });

  it('accepts a token of a replica whose clock is five minutes ahead, for as long as tokens live', async () => {
    const iat = now + 300;
    const token = forge(HS256, { ...OURS, sub, iat, nbf: iat, exp: iat + TOKEN_SECONDS });
    expect((await me(`Bearer ${token}`)).status).toBe(200);
  });

  const day = now + TOKEN_SECONDS;
  it.each<[string, object]>([
    ['issued in six minutes', { iat: now + 360, exp: now + 3600 }],
    ['issued in a thousand years', { iat: 33e9, exp: 33e9 + 60 }],
    ['issued in milliseconds, as other programs count', { iat: now * 1000, exp: now * 1000 + 60 }],
    ['issued at no time', { iat: undefined, exp }],
    ['issued at a text', { iat: String(now), exp }],
    ['issued at a date', { iat: '2026-07-18T12:00:00Z', exp }],
    ['not good before six minutes from now', { nbf: now + 360, exp }],
    ['not good before next year', { nbf: now + 3e7, exp }],
    ['not good before a text', { nbf: 'tomorrow', exp }],
    ['not good before null', { nbf: null, exp }],
    ['living a second longer than tokens do', { exp: day + 1 }],
    ['living for a thousand years', { exp: 33e9 }],
    ['expiring at this moment', { iat: now - 60, exp: now }],
    ['expired before it was issued', { exp: now - 1 }],
    ['expiring before the beginning of time', { exp: -1 }],
    ['expiring at null', { exp: null }],
    ['expiring at a list', { exp: [exp] }],
  ])('refuses a token %s', async (_, times) => {
    const answer = await me(`Bearer ${forge(HS256, { ...OURS, sub, ...times })}`);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: expect.stringContaining('Invalid or expired token') });
  });

  it('refuses a token whose numbers are beyond all numbers', async () => {
    for (const name of ['iat', 'nbf', 'exp']) {
      const claims = JSON.stringify({ ...OURS, sub, exp, [name]: 0 }).replace(
        `"${name}":0`,
        `"${name}":1e999`,
      );
      const signed = `${encode(HS256)}.${Buffer.from(claims).toString('base64url')}`;
      const signature = createHmac('sha256', SECRET).update(signed).digest('base64url');
      expect((await me(`Bearer ${signed}.${signature}`)).status).toBe(401);
    }
  });

  it.each<[string, () => string | undefined]>([
    ['without a token', () => undefined],
    ['with an empty header', () => ''],
    ['with another scheme', () => 'Basic YW5uYTpzZWNyZXQ='],
    ['with the scheme alone', () => 'Bearer'],
    ['with two tokens', () => `Bearer ${forge(HS256, { ...OURS, sub, exp })} x`],
    ['with a token that is none', () => 'Bearer abc'],
    ['with a token cut short', () => `Bearer ${forge(HS256, { ...OURS, sub, exp }).slice(0, -2)}`],
    [
      'with a token signed by somebody else',
      () => `Bearer ${forge(HS256, { ...OURS, sub, exp }, 'x'.repeat(40))}`,
    ],
    ['with an unsigned token', () => `Bearer ${encode({ alg: 'none' })}.${encode({ ...OURS, sub, exp })}.`],
    ['with another algorithm', () => `Bearer ${forge({ alg: 'HS512' }, { sub, exp }, SECRET, 'sha512')}`],
    ['with a token that never expires', () => `Bearer ${forge(HS256, { ...OURS, sub })}`],
    ['with an expiry that is no number', () => `Bearer ${forge(HS256, { ...OURS, sub, exp: '2999-01-01' })}`],
    ['with a token for nobody', () => `Bearer ${forge(HS256, { ...OURS, exp })}`],
    ['with a token for no account id', () => `Bearer ${forge(HS256, { ...OURS, sub: "'--", exp })}`],
    [
      'with a token of an account that is gone',
      () => `Bearer ${forge(HS256, { ...OURS, sub: randomUUID(), exp })}`,
    ],
    [
      'with a token of another installation',
      () => `Bearer ${forge(HS256, { ...OURS, iss: 'urn:x', sub, exp })}`,
    ],
    [
      'with a token for another audience',
      () => `Bearer ${forge(HS256, { ...OURS, aud: 'urn:x', sub, exp })}`,
    ],
    ['with a token that names no installation', () => `Bearer ${forge(HS256, { epoch: 0, sub, exp })}`],
    ['with a token of another epoch', () => `Bearer ${forge(HS256, { ...OURS, epoch: 1, sub, exp })}`],
    ['with a token of no epoch', () => `Bearer ${forge(HS256, { ...OURS, epoch: undefined, sub, exp })}`],
    [
      'with a token whose algorithm is none in other letters',
      () => `Bearer ${encode({ alg: 'nOnE' })}.${encode({ ...OURS, sub, exp })}.`,
    ],
    [
      'with a token that says RS256 over an HMAC of the secret',
      () => `Bearer ${forge({ alg: 'RS256', typ: 'JWT' }, { ...OURS, sub, exp })}`,
    ],
    [
      'with a token that says ES256 over an HMAC of the secret',
      () => `Bearer ${forge({ alg: 'ES256', typ: 'JWT' }, { ...OURS, sub, exp })}`,
    ],
    [
      'with a token whose kid names another key',
      () => `Bearer ${forge({ ...HS256, kid: '../../../dev/null' }, { ...OURS, sub, exp }, '')}`,
    ],
    [
      'with a token that brings its key along',
      () => `Bearer ${forge({ ...HS256, jwk: { kty: 'oct', k: 'eA' } }, { ...OURS, sub, exp }, 'x')}`,
    ],
    [
      'with a token whose claims were exchanged',
      () => {
        const [head, , signature] = forge(HS256, { ...OURS, sub: randomUUID(), exp }).split('.');
        return `Bearer ${head}.${encode({ ...OURS, sub, exp })}.${signature}`;
      },
    ],
    [
      'with a token that is for this installation among others',
      () => `Bearer ${forge(HS256, { ...OURS, aud: ['urn:test', 'urn:x'], sub, exp })}`,
    ],
    ['with a token whose content is no object', () => `Bearer ${forge(HS256, ['x'])}`],
  ])('refuses a request %s', async (_, authorization) => {
    const answer = await me(authorization());
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.body).toEqual({ detail: expect.any(String) });
  });
});
