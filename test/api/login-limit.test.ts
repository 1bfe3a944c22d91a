import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createAccount } from '../../src/accounts/create-account.ts';
import { startTestApp } from '../helpers/app.ts';

const PASSWORD = 'correct horse';

async function startApp(limit: number) {
  const world = await startTestApp({ RATE_LIMIT_LOGIN: String(limit), TRUST_PROXY: 'true' });
  onTestFinished(() => world.close());
  return {
    clock: world.clock,
    newEmail: async () => {
      const email = `${randomUUID()}@example.org`;
      await createAccount(world.deps, { email, password: PASSWORD, groups: [] });
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
