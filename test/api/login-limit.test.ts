import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createGuessCounter } from '../../src/accounts/guesses.ts';
import { hashPassword } from '../../src/accounts/passwords.ts';
import { buildApp } from '../../src/app.ts';
import { accounts, signInAddresses, signInGuesses } from '../../src/db/schema.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';

const PASSWORD = 'correct horse';
const DAY_MS = 24 * 3600 * 1000;

// Made once: each takes as long as a sign-in.
const passwordHash = hashPassword(PASSWORD);

const worlds = new Map<number, Promise<TestApp>>();
afterAll(async () => {
  for (const world of worlds.values()) await (await world).close();
});

let starts = 0;

/** One for each limit, in which nobody has guessed for months. */
async function startApp(limit: number) {
  const started = worlds.get(limit) ?? startTestApp({ RATE_LIMIT_LOGIN: String(limit), TRUST_PROXY: 'true' });
  worlds.set(limit, started);
  const world = await started;
  for (const table of [signInGuesses, signInAddresses]) await world.db.delete(table);
  world.clock.now = new Date(Date.UTC(2026, 5, 1, 12) + 100 * DAY_MS * ++starts);
  return {
    world,
    clock: world.clock,
    newEmail: async () => {
      const email = `${randomUUID()}@example.org`;
      await world.db.insert(accounts).values({ email, passwordHash });
      return email;
    },
    signIn: (username: string, password = PASSWORD, ip = '192.0.2.1') =>
      world.post('/api/v1/auth/token', { username, password }, { 'x-forwarded-for': ip }),
  };
}

it('counts wrong passwords per account name, however it is spelt, and ends with the minute', async () => {
  const { signIn, newEmail, clock } = await startApp(2);
  const email = await newEmail();
  await signIn(email, 'wrong');
  await signIn(` ${email.toUpperCase()}`, 'wrong');
  clock.advance(20_000);
  const refused = await signIn(email);
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '40' },
    body: { detail: expect.any(String) },
  });
  expect((await signIn(await newEmail())).status).toBe(200);
  clock.advance(40_000);
  expect((await signIn(email)).status).toBe(200);
});

it('lets ten times as many wrong ones through per address, whatever the names', async () => {
  const { signIn } = await startApp(1);
  for (let i = 0; i < 10; i++) expect((await signIn(`nobody${i}@example.org`)).status).toBe(401);
  expect((await signIn('nobody10@example.org')).status).toBe(429);
  expect((await signIn('nobody10@example.org', 'x', '192.0.2.2')).status).toBe(401);
});

it('does not count who gets in: neither for the name nor for the address', async () => {
  const { signIn, newEmail } = await startApp(1);
  const email = await newEmail();
  for (let i = 0; i < 12; i++) expect((await signIn(email)).status).toBe(200);
  expect((await signIn(email, 'wrong')).status).toBe(401);
  expect((await signIn(email)).status).toBe(429);
});

it('is not wiped out by getting in: wrong passwords before and after add up', async () => {
  const { signIn, newEmail } = await startApp(2);
  const email = await newEmail();
  const statuses: number[] = [];
  for (const password of ['wrong', PASSWORD, 'wrong', PASSWORD])
    statuses.push((await signIn(email, password)).status);
  expect(statuses).toEqual([401, 200, 401, 429]);
});

it('lets no more wrong passwords through when they come all at once', async () => {
  const { signIn, newEmail } = await startApp(10);
  const email = await newEmail();
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => signIn(email, `guess ${n}`)));
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  expect([count(401), count(429)]).toEqual([10, 40]);
});

it('is off at 0', async () => {
  const { signIn } = await startApp(0);
  for (let i = 0; i < 12; i++) expect((await signIn('nobody@example.org')).status).toBe(401);
});

it('counts for all replicas together', async () => {
  const { world, signIn, newEmail } = await startApp(2);
  const replica = await buildApp(world.deps, { baseUrl: () => '', pushServer: null });
  onTestFinished(() => replica.close());
  const email = await newEmail();
  const there = async (password: string) => {
    const payload = JSON.stringify({ username: email, password });
    const headers = { 'x-forwarded-for': '192.0.2.9' };
    return (await replica.inject({ method: 'POST', url: '/api/v1/auth/token', payload, headers })).statusCode;
  };
  expect((await signIn(email, 'wrong')).status).toBe(401);
  expect(await there('wrong')).toBe(401);
  expect([(await signIn(email)).status, await there(PASSWORD)]).toEqual([429, 429]);
});

/** Strangers at many addresses use up all that this minute allows for the name. */
async function besieged() {
  const app = await startApp(2);
  const email = await app.newEmail();
  let strangers = 0;
  const from = () => `198.51.100.${++strangers % 250}`;
  const siege = async () => {
    for (let n = 0; n < 5; n++) await app.signIn(email, 'wrong', from());
    expect((await app.signIn(email, 'wrong', from())).status).toBe(429);
  };
  return { ...app, email, siege };
}

describe('a stranger who never stops guessing', () => {
  it('does not keep the owner out where they signed in lately', async () => {
    const { clock, email, signIn, siege } = await besieged();
    expect((await signIn(email)).status).toBe(200);
    for (let minute = 0; minute < 3; minute++) {
      await siege();
      expect((await signIn(email)).status).toBe(200);
      clock.advance(60_000);
    }
    clock.advance(31 * 24 * 3600 * 1000);
    await siege();
    expect((await signIn(email)).status).toBe(429);
  });

  it('does not keep the owner out at a new address, once they come back after the pause that they were told', async () => {
    const { clock, email, signIn, siege } = await besieged();
    await siege();
    clock.advance(10_000);
    const refused = await signIn(email);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '50' } });
    clock.advance(20_000);
    expect(await signIn(email)).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
    clock.advance(30_000);
    await siege();
    expect((await signIn(email)).status).toBe(200);
  });

  it('gets one guess at each address for each pause, and not one more', async () => {
    const { clock, email, signIn, siege } = await besieged();
    await siege();
    const guess = () => signIn(email, 'wrong').then(({ status }) => status);
    expect(await guess()).toBe(429);
    clock.advance(60_000);
    await siege();
    expect([await guess(), await guess(), await guess()]).toEqual([401, 429, 429]);
  });

  it('does not keep others at the address of the owner from signing in', async () => {
    const { signIn, newEmail } = await startApp(1);
    const [known, unknown] = [await newEmail(), await newEmail()];
    expect((await signIn(known)).status).toBe(200);
    for (let n = 0; n < 10; n++) await signIn(`nobody${n}@example.org`, 'wrong');
    expect([(await signIn(unknown)).status, (await signIn(known)).status]).toEqual([429, 200]);
  });
});

describe('the table of guesses', () => {
  it('forgets what is over, and where an account signed in long ago', async () => {
    const { world, signIn, newEmail, clock } = await startApp(5);
    await signIn(await newEmail());
    for (let n = 0; n < 3; n++) await signIn(`nobody${n}@example.org`, 'wrong');
    expect((await world.db.select().from(signInGuesses)).length).toBeGreaterThan(3);
    clock.advance(31 * 24 * 3600 * 1000);
    await signIn('nobody@example.org', 'wrong');
    expect(await world.db.select().from(signInGuesses)).toHaveLength(3);
    expect(await world.db.select().from(signInAddresses)).toEqual([]);
  });

  it('holds no more than the latest addresses of an account, and neither names nor addresses as they are', async () => {
    const { world, signIn, newEmail, clock } = await startApp(5);
    const email = await newEmail();
    const count = createGuessCounter(world.deps, 5);
    await signIn(email);
    const [{ accountId } = { accountId: '' }] = await world.db.select().from(signInAddresses);
    for (let n = 0; n < 30; n++) {
      clock.advance(1000);
      const counted = await count({ name: email, address: `192.0.2.${n}` });
      await world.db.transaction((tx) => counted.wasRight(tx, accountId));
    }
    const rows = await world.db.select().from(signInAddresses);
    expect(rows).toHaveLength(20);
    const text = JSON.stringify([rows, await world.db.select().from(signInGuesses)]);
    expect(text).not.toMatch(/192\.0\.2|example\.org/);
  });
});
