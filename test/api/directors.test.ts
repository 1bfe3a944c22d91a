import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { setDisabled } from '../../src/accounts/change-account.ts';
import { createAccount } from '../../src/accounts/create-account.ts';
import { revokeGroup } from '../../src/accounts/change-groups.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

const api = await startTestApp({ RATE_LIMIT_LOGIN: '0' });
afterAll(api.close);

const newEmail = () => `${randomUUID()}@example.org`;

/** A competition with a director who is no administrator. */
async function directed() {
  const [admin, director] = [await api.as('ADMIN_GBR'), await api.as()];
  const { id } = (await admin.post('/api/v1/competitions/', competition())).body;
  const path = `/api/v1/competitions/${id}`;
  const direct = (...emails: string[]) => admin.patch(`${path}/settings`, { directors: emails });
  await direct(admin.email, director.email);
  const asDirector = (...emails: string[]) => director.patch(`${path}/settings`, { directors: emails });
  return { id: id as string, path, admin, director, direct, asDirector };
}

const disable = (email: string, disabled = true) => setDisabled(api.deps, { email, disabled });

/** An account that is made by the operator, signed in. */
async function signUp(email: string) {
  await createAccount(api.deps, { email, password: 'correct horse', groups: [] });
  const { body } = await api.post('/api/v1/auth/token', { username: email, password: 'correct horse' });
  return { authorization: `Bearer ${body.access_token}` };
}

describe('who sets directors', () => {
  test('is told the same of an address that has an account, one that has none, and one that is disabled', async () => {
    const { path, admin, director, asDirector } = await directed();
    const [known, disabled] = [await api.as(), await api.as()];
    await disable(disabled.email);
    const answers: unknown[] = [];
    for (const email of [known.email, newEmail(), disabled.email]) {
      const others = [admin.email, director.email];
      const changed = await asDirector(...others, email.toUpperCase());
      expect(changed.body.directors).toEqual([...others, email].toSorted());
      const read = await director.get(`${path}/settings`);
      answers.push([changed.status, read.status]);
      expect(read.body).toEqual(changed.body);
    }
    expect(answers).toEqual([
      [200, 200],
      [200, 200],
      [200, 200],
    ]);
  });

  test('does not see that a director was disabled, nor that they were enabled again', async () => {
    const { path, admin, director } = await directed();
    const before = (await director.get(`${path}/settings`)).body;
    await disable(admin.email);
    expect((await director.get(`${path}/settings`)).body).toEqual(before);
    await disable(admin.email, false);
    expect((await director.get(`${path}/settings`)).body).toEqual(before);
  });
});

describe('an address without an account', () => {
  test('directs as soon as it has one', async () => {
    const { id, path, admin, direct } = await directed();
    const email = newEmail();
    await direct(admin.email, email);
    const headers = await signUp(email);
    expect((await api.get('/api/v1/auth/me', headers)).body.competitions).toEqual([id]);
    expect((await api.patch(`${path}/settings`, { push_notifications: true }, headers)).status).toBe(200);
    expect((await admin.get(`${path}/settings`)).body.directors).toEqual([admin.email, email].toSorted());
  });

  test('that was left out again meanwhile does not', async () => {
    const { path, admin, direct } = await directed();
    const email = newEmail();
    await direct(admin.email, email);
    await direct(admin.email);
    const headers = await signUp(email);
    expect((await api.get('/api/v1/auth/me', headers)).body.competitions).toEqual([]);
    expect((await api.patch(`${path}/settings`, {}, headers)).status).toBe(403);
  });
});

describe('a disabled account', () => {
  test('directs nothing until it is enabled', async () => {
    const { id, path, admin, direct } = await directed();
    const email = newEmail();
    const before = await signUp(email);
    await disable(email);
    await direct(admin.email, email);
    expect((await api.get(`${path}/settings`, before)).status).toBe(401);
    await disable(email, false);
    const { body } = await api.post('/api/v1/auth/token', { username: email, password: 'correct horse' });
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await api.get('/api/v1/auth/me', headers)).body.competitions).toEqual([id]);
  });

  test('that was left out meanwhile directs nothing when it is enabled', async () => {
    const { path, admin, director, direct } = await directed();
    await disable(director.email);
    await direct(admin.email);
    await disable(director.email, false);
    expect((await admin.get(`${path}/settings`)).body.directors).toEqual([admin.email]);
  });
});

describe('whoever created a competition', () => {
  test('cannot be left out by a director, and nothing changes', async () => {
    const { path, admin, director, asDirector } = await directed();
    const refused = await asDirector(director.email);
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('created') } });
    const { body } = await admin.get(`${path}/settings`);
    expect(body.directors).toEqual([admin.email, director.email].toSorted());
    expect((await asDirector(` ${admin.email.toUpperCase()}`)).status).toBe(200);
  });

  test('cannot be left out while disabled either: it would tell', async () => {
    const { admin, director, asDirector } = await directed();
    await disable(admin.email);
    expect((await asDirector(director.email)).status).toBe(403);
  });

  test('can be left out by an administrator of the country, for good', async () => {
    const { direct, director, asDirector } = await directed();
    expect((await direct(director.email)).body.directors).toEqual([director.email]);
    expect((await asDirector(director.email, newEmail())).status).toBe(200);
  });

  test('is a director like others once they administer no more', async () => {
    const { path, admin, director } = await directed();
    await revokeGroup(api.deps, { email: admin.email, group: 'ADMIN_GBR' });
    const directors = [director.email];
    expect((await admin.patch(`${path}/settings`, { directors })).status).toBe(403);
  });
});
