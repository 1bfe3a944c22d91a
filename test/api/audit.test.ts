import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAccount } from '../../src/accounts/create-account.ts';
import { createRefusals } from '../../src/audit/refusals.ts';
import { listAudit, purgeAudit } from '../../src/audit/store.ts';
import { importCompetition } from '../../src/competitions/import.ts';
import { CompetitionCreate } from '../../src/competitions/schemas.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { commandAnswer, runCommand } from '../helpers/cli.ts';
import { competition, competitor } from '../helpers/factories.ts';
import { runSql, startTransaction } from '../helpers/sql.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const PASSWORD = 'correct horse battery';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp({ TRUST_PROXY: '1', RATE_LIMIT_LOGIN: '5' });
});
afterAll(() => test.close());

const audit = (...filter: string[]) => commandAnswer(test.deps, 'audit', ...filter);
const url = () => test.deps.databaseUrl as string;

const timesOf = (entries: { count: number }[]) => entries.reduce((sum, { count }) => sum + count, 0);

const signIn = (username: string, password: string, address = '203.0.113.7') =>
  test.request({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
    payload: new URLSearchParams({ username, password }).toString(),
  });

async function newAccount(name: string, ...groups: string[]) {
  const email = `${name}@example.org`;
  await createAccount(test.deps, { email, password: PASSWORD, groups });
  return email;
}

const refusals = async (address?: string) =>
  (await listAudit(test.db, {})).filter(
    (entry) => entry.action === 'sign-in.refused' && (address === undefined || entry.address === address),
  );

const entry = (age: string) =>
  runSql(url(), `insert into audit (action, account, at) values ('sign-in', 'old', now() - $1::interval)`, [
    age,
  ]);

describe('what is done to a competition', () => {
  it('is told with who did it, from where, and with which request', async () => {
    const admin = await test.as('ADMIN_GBR');
    const meeting = await uploadsInto(admin, {});
    await meeting.store({ city: 'Harbour Town' });
    await meeting.store({ competitors: [competitor({ competitor_id: '7', last_name: 'Okafor' })] });
    await admin.patch(`${meeting.path}/settings`, {
      push_notifications: true,
      directors: ['director@example.org'],
    });
    await admin.delete(`${meeting.path}/competitors/7`);
    const { headers } = await admin.delete(meeting.path, { 'x-forwarded-for': '198.51.100.4' });

    const told = await audit('--competition', meeting.id);
    expect(
      told.map(({ action, target, detail }: Record<string, unknown>) => [action, target, detail]),
    ).toEqual([
      ['competition.create', null, { record: 1 }],
      ['competition.update', null, { record: 1 }],
      ['competition.upload', null, { competitors: 1 }],
      ['competition.settings', null, { push_notifications: true }],
      ['director.add', 'director@example.org', null],
      ['director.remove', admin.email, null],
      ['competition.delete-part', 'competitor 7', null],
      ['competition.delete', expect.stringMatching(/^2026\/GBR\/test-meeting-/), null],
    ]);
    expect(told.at(-1)).toMatchObject({
      account: admin.email,
      address: '198.51.100.4',
      request_id: headers['x-request-id'],
      at: expect.stringMatching(/Z$/),
    });
    expect(JSON.stringify(told)).not.toContain('Okafor');
  });

  it('is not told of an upload that changes nothing, nor of one that is refused', async () => {
    const admin = await test.as('ADMIN_GBR');
    const meeting = await uploadsInto(admin, {});
    const people = { competitors: [competitor()] };
    await meeting.store(people);
    await meeting.store(people);
    expect((await meeting.upload({ date: 'someday' })).status).toBe(422);
    const told = await audit('--competition', meeting.id);
    expect(told.map(({ action }: { action: string }) => action)).toEqual([
      'competition.create',
      'competition.upload',
    ]);
  });

  it('names the account of an import, and the command line as its address', async () => {
    const { id, email } = await test.as('ADMIN_GBR');
    const actor = { id, email, groups: ['ADMIN_GBR'] };
    const { record } = await importCompetition(test.deps, actor, CompetitionCreate.parse(competition()));
    expect(await audit('--competition', record.id)).toMatchObject([
      { action: 'competition.create', account: email, address: 'cli', request_id: null },
    ]);
  });

  it('and that it was refused: a write without the right', async () => {
    const admin = await test.as('ADMIN_GBR');
    const stranger = await test.as('ADMIN_NOR');
    const meeting = await uploadsInto(admin, {});
    for (let time = 0; time < 3; time++)
      expect((await stranger.post(meeting.path, { city: 'Elsewhere' })).status).toBe(403);
    expect((await stranger.get(`${meeting.path}/settings`)).status).toBe(403);
    const told = await audit('--account', stranger.email);
    expect(told.length).toBeLessThanOrEqual(2); // a minute may end in between
    expect(timesOf(told)).toBe(3);
    expect(told[0]).toMatchObject({
      action: 'write.refused',
      competition_id: meeting.id,
      target: 'POST /api/v1/competitions/:comp_id',
    });
  });
});

describe('accounts', () => {
  it('are told as made, changed and disabled by the command line', async () => {
    const email = await newAccount('anna', 'ADMIN_GBR');
    const cli = (...line: string[]) => runCommand(test.deps, 'account', ...line, '--email', email);
    await cli('grant', '--group', 'ADMIN_NOR');
    await cli('revoke', '--group', 'ADMIN_NOR');
    await cli('password', '--password', `${PASSWORD} and a saddle`);
    await cli('disable');
    await cli('enable');
    const told = await audit('--account', email);
    expect(told.map(({ action }: { action: string }) => action)).toEqual([
      'account.create',
      'account.grant',
      'account.revoke',
      'account.password',
      'account.disable',
      'account.enable',
    ]);
    expect(told).toEqual(
      told.map(() => expect.objectContaining({ account: 'cli', address: 'cli', target: email })),
    );
    expect(JSON.stringify(told)).not.toContain(PASSWORD);
  });

  it('are told as signing in, and as refused to, with the address', async () => {
    const email = await newAccount('berit');
    await signIn(email, 'a wrong password', '203.0.113.9');
    expect((await signIn(email, PASSWORD)).status).toBe(200);
    const told = await audit('--account', email);
    expect(told.slice(1)).toMatchObject([
      { action: 'sign-in.refused', address: '203.0.113.9', detail: { reason: 'wrong password' } },
      { action: 'sign-in', account: email, address: '203.0.113.7' },
    ]);
  });

  it('that do not exist are not named: somebody may have typed a password there', async () => {
    await signIn('mysecretpassword', 'x', '203.0.113.11');
    const text = JSON.stringify(await audit());
    expect(text).toContain('203.0.113.11');
    expect(text).not.toContain('mysecretpassword');
  });
});

describe('strangers', () => {
  it('cannot fill it by guessing: the same within a minute is one entry', async () => {
    for (let guess = 0; guess < 20; guess++) await signIn(`nobody${guess}@example.org`, 'x', '203.0.113.20');
    const told = await refusals('203.0.113.20');
    expect(told.length).toBeLessThanOrEqual(2);
    expect(timesOf(told)).toBe(20);
  });

  it('nor from many addresses: beyond some in a minute they are counted together', async () => {
    const note = createRefusals({ ...test.deps, now: () => new Date(0) }, 3);
    const before = (await refusals()).length;
    for (let host = 0; host < 50; host++) {
      const origin = { address: `192.0.2.${host}`, requestId: null };
      await note({ id: null, email: null, origin }, { action: 'sign-in.refused' });
    }
    const told = (await refusals()).slice(before);
    expect(told.length).toBeLessThanOrEqual(5);
    expect(timesOf(told)).toBe(50);
  });

  it('get their answer also when the audit cannot be written', async () => {
    await runSql(test.ownerUrl, 'alter table audit rename to audit_away');
    try {
      expect((await signIn('nobody@example.org', 'x', '203.0.113.30')).status).toBe(401);
      const stranger = await test.as();
      expect((await stranger.post('/api/v1/competitions/', competition())).status).toBe(403);
    } finally {
      await runSql(test.ownerUrl, 'alter table audit_away rename to audit');
    }
  });
});

describe('an entry', () => {
  it('is never changed, and not deleted before its time, not even by the owner', async () => {
    await entry('399 days');
    for (const statement of [
      `update audit set account = 'somebody else'`,
      `update audit set count = 7`,
      `update audit set account = 'erased-1', address = null, action = 'nothing'`,
      'delete from audit',
      'truncate audit',
    ])
      await expect(runSql(test.ownerUrl, statement)).rejects.toThrow('the audit is append only');
  });

  it('goes after 400 days', async () => {
    await entry('401 days');
    const before = (await listAudit(test.db, {})).length;
    expect(await purgeAudit(test.db)).toBe(1);
    expect((await listAudit(test.db, {})).length).toBe(before - 1);
  });
});

describe('the command', () => {
  it('shows what happened since a day, as lines', async () => {
    await newAccount('carla', 'ADMIN_GBR');
    const { out } = await runCommand(
      test.deps,
      'audit',
      '--account',
      'Carla@example.org',
      '--since',
      '2020-01-01',
    );
    expect(out).toMatch(/^\S+Z {2}cli {2}cli {2}account\.create {2}carla@example\.org {2}groups=ADMIN_GBR$/);
    expect((await runCommand(test.deps, 'audit', '--since', '2999-01-01')).out).toBe('Nothing');
  });

  it('says what it cannot read', async () => {
    expect(await runCommand(test.deps, 'audit', '--since', 'monday')).toMatchObject({
      code: 1,
      err: expect.stringContaining('A day is like 2026-07-18'),
    });
    expect(await runCommand(test.deps, 'audit', '--competition', '7')).toMatchObject({ code: 1 });
  });
});

/** A service, and one who is refused there again and again; the first time has been noted. */
async function refusing() {
  const api = await startTestApp();
  onTestFinished(api.close);
  const note = createRefusals({ ...api.deps, db: api.deps.reads });
  const nobody = { id: null, email: null, origin: { address: '192.0.2.1', requestId: null } };
  const refuse = () => note(nobody, { action: 'sign-in.refused', detail: { reason: 'wrong password' } });
  await refuse();
  return { api, refuse };
}

// All of it: when a minute begins, another entry is made, which nobody could have locked.
const HOLD_BACK = 'lock table audit in share mode';

it('a crowd of refusals takes no connections from readers, and each of them is counted', async () => {
  const { api, refuse } = await refusing();
  const lock = await startTransaction(api.ownerUrl, HOLD_BACK);
  let over = 0;
  const crowd = Array.from({ length: 20 }, () => refuse().then(() => (over += 1)));
  expect((await api.get('/x/2026/json/')).status).toBe(200);
  expect(over).toBe(0);
  await lock.end();
  await Promise.all(crowd);
  expect(timesOf(await commandAnswer(api.deps, 'audit'))).toBe(21);
});

it('a crowd of refusals that waits is written at once, and no count of them can be made smaller', async () => {
  const { api, refuse } = await refusing();
  await runSql(api.ownerUrl, 'create sequence written; grant usage on written to public');
  const counting = `create function count_written() returns trigger language plpgsql as
    $$ begin perform nextval('written'); return new; end $$;
    create trigger count_written after update on audit for each row execute function count_written()`;
  await runSql(api.ownerUrl, counting);
  const lock = await startTransaction(api.ownerUrl, HOLD_BACK);
  const crowd = Array.from({ length: 60 }, refuse);
  await lock.end();
  await Promise.all(crowd);
  expect(timesOf(await commandAnswer(api.deps, 'audit'))).toBe(61);
  const [written] = await runSql(api.ownerUrl, 'select last_value from written');
  expect(Number(written!['last_value'])).toBeLessThanOrEqual(2);
  await expect(runSql(api.ownerUrl, 'update audit set count = count - 1')).rejects.toThrow('append only');
});
