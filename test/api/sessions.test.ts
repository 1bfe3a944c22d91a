import { randomUUID } from 'node:crypto';
import { hash as argon2 } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { issueToken } from '../../src/accounts/authenticate.ts';
import { setDisabled, setPassword } from '../../src/accounts/change-account.ts';
import { installationId } from '../../src/accounts/installation-store.ts';
import { hashPassword } from '../../src/accounts/passwords.ts';
import { buildApp } from '../../src/app.ts';
import { accounts } from '../../src/db/schema.ts';
import type { Deps } from '../../src/deps.ts';
import { startTestApp } from '../helpers/app.ts';

const PASSWORD = 'correct horse';
const NEW = 'battery staple';

const api = await startTestApp({ RATE_LIMIT_LOGIN: '3' });
const replica = await startReplica();
afterAll(async () => {
  await replica.close();
  await api.close();
});

function startReplica(over: Partial<Deps> = {}) {
  return buildApp({ ...api.deps, ...over }, { baseUrl: () => '', pushServer: null });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

// Made once: each takes as long as a sign-in.
const passwordHash = hashPassword(PASSWORD);

async function newAccount() {
  const email = `${randomUUID()}@example.org`;
  const [account] = await api.db.insert(accounts).values({ email, passwordHash }).returning();
  const token = issueToken(api.app, { id: account!.id, tokenEpoch: 0 }, api.deps.now());
  const signIn = (password = PASSWORD) => api.post('/api/v1/auth/token', { username: email, password });
  const newToken = async (password?: string): Promise<string> => (await signIn(password)).body.access_token;
  return { email, signIn, newToken, token };
}

/** What a token is answered, by either replica. */
const works = async (token: string) => [
  (await api.get('/api/v1/auth/me', bearer(token))).status,
  (await replica.inject({ url: '/api/v1/auth/me', headers: bearer(token) })).statusCode,
];

const change = (token: string, current_password: string, new_password: string) =>
  api.post('/api/v1/auth/password', { current_password, new_password }, bearer(token));

describe('every token of an account ends at once, on every replica,', () => {
  it('when it is revoked, and those of other accounts go on', async () => {
    const [{ newToken, token }, other] = [await newAccount(), await newAccount()];
    const second = await newToken();
    expect(await works(second)).toEqual([200, 200]);
    const revoked = await api.post('/api/v1/auth/revoke', '', bearer(token));
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    expect([await works(token), await works(second)]).toEqual([
      [401, 401],
      [401, 401],
    ]);
    expect((await api.post('/api/v1/auth/revoke', '', bearer(token))).status).toBe(401);
    expect([await works(await newToken()), await works(other.token)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
  });

  it('when the password changes, and the new one alone signs in', async () => {
    const { newToken, signIn, token } = await newAccount();
    const second = await newToken();
    expect((await change(token, PASSWORD, NEW)).status).toBe(204);
    expect([await works(token), await works(second)]).toEqual([
      [401, 401],
      [401, 401],
    ]);
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect(await works(await newToken(NEW))).toEqual([200, 200]);
  });

  it('when the operator sets the password', async () => {
    const { email, token } = await newAccount();
    await setPassword(api.deps, { email, password: NEW });
    expect(await works(token)).toEqual([401, 401]);
  });

  it('when it is disabled; enabling does not revive them', async () => {
    const { email, token, newToken } = await newAccount();
    await setDisabled(api.deps, { email, disabled: true });
    await setDisabled(api.deps, { email, disabled: false });
    expect(await works(token)).toEqual([401, 401]);
    expect(await works(await newToken())).toEqual([200, 200]);
  });
});

describe('changing the password', () => {
  it('needs the present one; a wrong one changes nothing', async () => {
    const { token, signIn } = await newAccount();
    const refused = await change(token, 'wrong horse', NEW);
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'current_password'] }] } });
    expect([await works(token), (await signIn()).status]).toEqual([[200, 200], 200]);
  });

  it('is no way to guess it without limit', async () => {
    const { token, signIn } = await newAccount();
    for (let n = 0; n < 3; n++) expect((await change(token, `guess ${n}`, NEW)).status).toBe(422);
    const refused = await change(token, PASSWORD, NEW);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect((await signIn()).status).toBe(429);
  });

  it.each([
    ['eleven char', /too short/],
    ['password1234', /commonest/],
    ['x1'.repeat(501), /1000/],
  ])('to %j is refused with the reason, and changes nothing', async (password, reason) => {
    const { token } = await newAccount();
    const { status, body } = await change(token, PASSWORD, password);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([
      { loc: ['body', 'new_password'], msg: expect.stringMatching(reason) },
    ]);
    expect(await works(token)).toEqual([200, 200]);
  });

  it('to the address of the account is refused', async () => {
    const { token, email } = await newAccount();
    const { status, body } = await change(token, PASSWORD, email.toUpperCase());
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'new_password']]);
  });

  it('is for who is signed in, and says which fields are missing', async () => {
    const { token } = await newAccount();
    expect((await api.post('/api/v1/auth/password', {})).status).toBe(401);
    const { status, body } = await api.post('/api/v1/auth/password', {}, bearer(token));
    expect(status).toBe(422);
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual([
      'current_password',
      'new_password',
    ]);
    const huge = await change(token, PASSWORD, 'x'.repeat(20_000));
    expect(huge.status).toBe(413);
  });

  it('twice at the same moment is done once', async () => {
    const { token, signIn } = await newAccount();
    const answers = await Promise.all([change(token, PASSWORD, NEW), change(token, PASSWORD, `${NEW} too`)]);
    // The later one is told that its token has ended, or that its password is not the present one any more.
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect([
      [204, 401],
      [204, 422],
    ]).toContainEqual(statuses);
    const first = answers[0]?.status === 204;
    expect((await signIn(first ? NEW : `${NEW} too`)).status).toBe(200);
  });
});

it('a password hashed with other parameters is hashed anew when its owner signs in, and tokens go on', async () => {
  const { email, newToken } = await newAccount();
  const passwordHash = await argon2(PASSWORD, { memoryCost: 8192, timeCost: 3, parallelism: 1 });
  await api.db.update(accounts).set({ passwordHash }).where(eq(accounts.email, email));
  const tokens = [await newToken(), await newToken()];
  const [row] = await api.db.select().from(accounts).where(eq(accounts.email, email));
  expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  for (const token of tokens) expect(await works(token)).toEqual([200, 200]);
});

async function statusAt(secrets: Deps['jwtSecrets'], token: string) {
  const app = await startReplica({ jwtSecrets: secrets });
  onTestFinished(() => app.close());
  return (await app.inject({ url: '/api/v1/auth/me', headers: bearer(token) })).statusCode;
}

describe('the signing secret', () => {
  const [old] = api.deps.jwtSecrets;
  const fresh = 'the new secret, which is long enough for HS256';

  it('is exchanged without ending anybody’s token: the old one is known for a while, and then no more', async () => {
    const { token } = await newAccount();
    expect(await statusAt([fresh, old], token)).toBe(200);
    expect(await statusAt([fresh], token)).toBe(401);
  });

  it('that is new signs', async () => {
    const { email } = await newAccount();
    const app = await startReplica({ jwtSecrets: [fresh, old] });
    onTestFinished(() => app.close());
    const payload = JSON.stringify({ username: email, password: PASSWORD });
    const answer = await app.inject({ method: 'POST', url: '/api/v1/auth/token', payload });
    const { access_token: token } = answer.json<{ access_token: string }>();
    expect([await statusAt([fresh], token), await statusAt([old], token)]).toEqual([200, 401]);
  });
});

it('an installation has one name, which it keeps; a token of another one is refused', async () => {
  const names = await Promise.all([installationId(api.db), installationId(api.db)]);
  expect(names[0]).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(new Set([...names, await installationId(api.db)]).size).toBe(1);
  const { token } = await newAccount();
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as object;
  expect(claims).toMatchObject({ iss: api.deps.installationId, aud: api.deps.installationId });
  const other = await startReplica({ installationId: 'urn:another' });
  onTestFinished(() => other.close());
  expect((await other.inject({ url: '/api/v1/auth/me', headers: bearer(token) })).statusCode).toBe(401);
});

it('of a hundred sign-ins at a time some get in and the rest is told when to come back; readers are served meanwhile', async () => {
  const { signIn } = await newAccount();
  const crowd = Array.from({ length: 100 }, () => signIn());
  const read = await api.get('/x/2026/json/');
  const answers = await Promise.all(crowd);
  expect(read.status).toBe(200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(100);
  expect(refused.length).toBeGreaterThan(50);
  for (const { headers } of refused) expect(headers['retry-after']).toBe('2');
});
