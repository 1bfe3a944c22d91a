import { randomUUID } from 'node:crypto';
import Fastify, { type LightMyRequestResponse } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { authentication } from '../../src/accounts/authenticate.ts';
import { setDisabled } from '../../src/accounts/change-account.ts';
import { grantGroup, revokeGroup } from '../../src/accounts/change-groups.ts';
import { createAccount } from '../../src/accounts/create-account.ts';
import { authRoutes } from '../../src/accounts/routes.ts';
import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/db/client.ts';
import { competitionDirectors, competitions } from '../../src/db/schema.ts';
import type { Deps } from '../../src/deps.ts';
import { jsonBody } from '../../src/http/body.ts';
import { errorAnswers } from '../../src/http/errors.ts';
import { outageLog } from '../../src/http/outage-log.ts';
import { validatorCompiler } from '../../src/http/validation.ts';
import { createTestDatabase } from '../helpers/db.ts';
import { passwordsHere } from '../helpers/passwords-here.ts';

const SECRET = 'a secret of more than thirty-two characters';
const PASSWORD = 'correct horse';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const database = await createTestDatabase();
const db = connect(database.url, () => {});

afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

async function startApp(env: Record<string, string> = { RATE_LIMIT_LOGIN: '0' }) {
  const clock = { now: new Date('2026-07-18T10:00:00.400Z') };
  const deps: Deps = {
    config: loadConfig(env),
    db,
    reads: db,
    databaseUrl: database.url,
    now: () => clock.now,
    log: pino({ level: 'silent' }),
    pushApp: { id: '1', key: 'key', secret: 'secret' },
    jwtSecrets: [SECRET],
    installationId: 'urn:test',
  };
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(outageLog, { now: () => new Date() });
  await app.register(errorAnswers, { outageOf: () => undefined });
  await app.register(jsonBody, { inFlight: { totalBytes: 1e6, addressBytes: 1e6 } });
  await app.register(authentication, { deps });
  const passwords = passwordsHere();
  await app.register(authRoutes, {
    deps,
    passwords,
    countWrite: async () => {},
    prefix: '/api/v1/auth',
  });
  const postForm = (payload: string) =>
    app.inject({ method: 'POST', url: '/api/v1/auth/token', headers: FORM, payload });
  const signIn = (username: string, password = PASSWORD) =>
    postForm(new URLSearchParams({ username, password }).toString());
  const me = (authorization?: string) =>
    app.inject({ url: '/api/v1/auth/me', headers: authorization === undefined ? {} : { authorization } });
  return { app, clock, deps, passwords, postForm, signIn, me };
}

type App = Awaited<ReturnType<typeof startApp>>;

async function newAccount(...groups: string[]) {
  return createAccount({ db }, { email: `${randomUUID()}@example.org`, password: PASSWORD, groups });
}

const Token = z.object({ access_token: z.string() });
const tokenIn = (answer: LightMyRequestResponse) => Token.parse(answer.json()).access_token;
const paths = (answer: LightMyRequestResponse) =>
  z
    .object({ detail: z.array(z.object({ loc: z.array(z.string()) })) })
    .parse(answer.json())
    .detail.map((issue) => issue.loc.join('.'));

describe('signing in', () => {
  let world: App;
  beforeAll(async () => {
    world = await startApp();
  });

  it('the form fields username and password give a bearer token for 24 hours', async () => {
    const { email } = await newAccount();
    const answer = await world.signIn(email);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 86400,
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('a JSON body with the same fields is accepted, with and without its content type', async () => {
    const { email } = await newAccount();
    const payload = JSON.stringify({ username: email, password: PASSWORD });
    for (const headers of [{ 'content-type': 'application/json' }, {}]) {
      const answer = await world.app.inject({ method: 'POST', url: '/api/v1/auth/token', headers, payload });
      expect(answer.statusCode).toBe(200);
    }
  });

  it('letter case and surrounding space of the e-mail address do not matter', async () => {
    const { email } = await newAccount();
    expect((await world.signIn(` ${email.toUpperCase()} `)).statusCode).toBe(200);
  });

  it('unknown account, wrong password and disabled account get the same refusal', async () => {
    const { email } = await newAccount();
    const disabled = await newAccount();
    await setDisabled({ db }, { email: disabled.email, disabled: true });
    const answers = [
      await world.signIn('nobody@example.org'),
      await world.signIn(email, 'wrong horse'),
      await world.signIn(disabled.email),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body).toBe('{"detail":"Incorrect e-mail or password"}');
    }
  });

  it('a password is verified for unknown accounts too, so that the time taken tells nothing', async () => {
    const verify = vi.spyOn(world.passwords, 'verify');
    onTestFinished(() => verify.mockRestore());
    await world.signIn('nobody@example.org');
    expect(verify).toHaveBeenCalledExactlyOnceWith(null, PASSWORD);
  });

  it.each([
    ['', ['body.username', 'body.password']],
    ['username=anna%40example.org', ['body.password']],
    ['username=&password=', ['body.username', 'body.password']],
    ['username=a&username=b&password=c', ['body.username']],
    ['username=a%00b&password=c', ['body.username']],
    ['username=a&password=c%00', ['body.password']],
    [`username=${'a'.repeat(321)}&password=${'b'.repeat(1001)}`, ['body.username', 'body.password']],
  ])('the form %j is refused, naming the fields at fault', async (form, fields) => {
    const answer = await world.postForm(form);
    expect(answer.statusCode).toBe(422);
    expect(paths(answer)).toEqual(fields);
  });

  it.each([
    undefined,
    'null',
    '[]',
    '"text"',
    '{"username":1,"password":{}}',
    '{"username":"\\ud800","password":"x\\u0000"}',
  ])('the JSON body %s is refused as invalid', async (payload) => {
    const answer = await world.app.inject({
      method: 'POST',
      url: '/api/v1/auth/token',
      ...(payload === undefined ? {} : { payload, headers: { 'content-type': 'application/json' } }),
    });
    expect(answer.statusCode).toBe(422);
  });

  it('a huge form is refused unread', async () => {
    expect((await world.postForm(`password=${'x'.repeat(20_000)}`)).statusCode).toBe(413);
  });

  it('strange encodings in a form are an ordinary refusal', async () => {
    for (const form of [
      'username=%ff%fe&password=%',
      'username=%ED%A0%80&password=x',
      '__proto__=x&username=a&password=b',
    ]) {
      expect([401, 422]).toContain((await world.postForm(form)).statusCode);
    }
  });
});

describe('a token', () => {
  it('says whose it is, the groups and the competitions directed', async () => {
    const { signIn, me } = await startApp();
    const account = await newAccount('ADMIN_GER', 'ADMIN_GBR');
    const directed = [await directedCompetition(account.id), await directedCompetition(account.id)];
    await directedCompetition((await newAccount()).id);
    const answer = await me(`Bearer ${tokenIn(await signIn(account.email))}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      email: account.email,
      groups: ['ADMIN_DEU', 'ADMIN_GBR'],
      competitions: directed.toSorted(),
    });
  });

  it('of an account without groups and competitions shows empty lists', async () => {
    const { signIn, me } = await startApp();
    const { email } = await newAccount();
    const answer = await me(`bearer ${tokenIn(await signIn(email))}`);
    expect(answer.json()).toEqual({ email, groups: [], competitions: [] });
  });

  it('is good for 24 hours and not a second longer', async () => {
    const { signIn, me, clock } = await startApp();
    const { email } = await newAccount();
    const authorization = `Bearer ${tokenIn(await signIn(email))}`;
    clock.now = new Date('2026-07-19T09:59:59.999Z');
    expect((await me(authorization)).statusCode).toBe(200);
    clock.now = new Date('2026-07-19T10:00:00.000Z');
    expect((await me(authorization)).statusCode).toBe(401);
  });

  it('stops at once when its account is disabled, and is not revived when it is enabled', async () => {
    const { signIn, me } = await startApp();
    const { email } = await newAccount();
    const authorization = `Bearer ${tokenIn(await signIn(email))}`;
    await setDisabled({ db }, { email, disabled: true });
    const refused = await me(authorization);
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    await setDisabled({ db }, { email, disabled: false });
    expect((await me(authorization)).statusCode).toBe(401);
    expect((await me(`Bearer ${tokenIn(await signIn(email))}`)).statusCode).toBe(200);
  });

  it('carries group changes from the next request on', async () => {
    const { signIn, me } = await startApp();
    const { email } = await newAccount('ADMIN_GBR');
    const authorization = `Bearer ${tokenIn(await signIn(email))}`;
    await grantGroup({ db }, { email, group: 'admin_sui' });
    expect((await me(authorization)).json()).toMatchObject({ groups: ['ADMIN_CHE', 'ADMIN_GBR'] });
    await revokeGroup({ db }, { email, group: 'ADMIN_GBR' });
    expect((await me(authorization)).json()).toMatchObject({ groups: ['ADMIN_CHE'] });
  });
});

async function directedCompetition(accountId: string): Promise<string> {
  const id = randomUUID();
  const blank = { shortName: '', nameLocal: '', address: '', city: '', nationalId: '' };
  const texts = {
    ...blank,
    basicDescription: '',
    contactDetails: '',
    nameKey: id,
    recordText: '{}',
    extra: {},
  };
  const when = { date: '2026-07-18', finishDate: '2026-07-18', year: 2026 };
  await db
    .insert(competitions)
    .values({ id, fullName: id, slug: id, countryId: 'GBR', revision: 1, ...texts, ...when });
  await db.insert(competitionDirectors).values({ competitionId: id, accountId });
  return id;
}
