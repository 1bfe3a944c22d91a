import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { verifyCredentials } from '../../src/accounts/sign-in.ts';
import { passwordsHere } from '../helpers/passwords-here.ts';
import { loadActor } from '../../src/accounts/store.ts';
import { runCli } from '../../src/cli/program.ts';
import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/db/client.ts';
import type { Deps } from '../../src/deps.ts';
import { createTestDatabase } from '../helpers/db.ts';

const PASSWORD = 'correct horse';

const database = await createTestDatabase();
const db = connect(database.url, () => {});

afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const someDeps = (over: Partial<Deps> = {}): Deps => ({
  config: loadConfig({}),
  db,
  reads: db,
  databaseUrl: database.url,
  now: () => new Date(),
  log: pino({ level: 'silent' }),
  pushApp: { id: '1', key: 'key', secret: 'secret' },
  jwtSecrets: ['x'.repeat(32)],
  installationId: 'urn:test',
  ...over,
});

type World = { stdin?: string; env?: Record<string, string>; open?: () => Deps };

async function cli(line: string[], { stdin = '', env = {}, open = someDeps }: World = {}) {
  const out: string[] = [];
  const err: string[] = [];
  let opened = 0;
  const input = new PassThrough();
  input.end(stdin);
  const code = await runCli(line, {
    env,
    createDeps: async () => {
      const deps = open();
      opened++;
      return { deps, close: async () => void opened-- };
    },
    stdin: input,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  expect(opened, 'dependencies left open').toBe(0);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const newEmail = () => `${randomUUID()}@example.org`;

async function newAccount(...groups: string[]): Promise<string> {
  const email = newEmail();
  const grants = groups.flatMap((group) => ['--group', group]);
  const made = await cli(['account', 'create', '--email', email, '--password', PASSWORD, ...grants]);
  expect(made.err).toBe('');
  return email;
}

const account = (verb: string, email: string, ...rest: string[]) =>
  cli(['account', verb, '--email', email, ...rest]);

const canSignIn = (email: string, password: string) =>
  verifyCredentials({ db, passwords: passwordsHere() }, { username: email, password }).then(
    () => true,
    () => false,
  );

async function groupsOf(email: string) {
  const { id } = await verifyCredentials(
    { db, passwords: passwordsHere() },
    { username: email, password: PASSWORD },
  );
  return (await loadActor(db, id))?.groups;
}

describe('account create', () => {
  it('makes an account that can sign in, with its groups under their ISO names', async () => {
    const email = newEmail();
    const groups = ['--group', 'ADMIN_GBR', '--group', 'admin_ger', '--group', 'ADMIN_DEU'];
    const made = await cli([
      'account',
      'create',
      '--email',
      ` ${email.toUpperCase()}`,
      '--password',
      PASSWORD,
      ...groups,
    ]);
    expect(made).toEqual({ code: 0, out: `Created account ${email} (ADMIN_DEU ADMIN_GBR)`, err: '' });
    expect(await groupsOf(email)).toEqual(['ADMIN_DEU', 'ADMIN_GBR']);
  });

  it.each(['a piped secret', 'a piped secret\n', 'a piped secret\r\nand more\n'])(
    'takes the first line of stdin %j as the password',
    async (stdin) => {
      const email = newEmail();
      expect((await cli(['account', 'create', '--email', email, '--password-stdin'], { stdin })).code).toBe(
        0,
      );
      expect(await canSignIn(email, 'a piped secret')).toBe(true);
    },
  );

  it('answers as JSON on request', async () => {
    const email = newEmail();
    const made = await account('create', email, '--password', PASSWORD, '--json');
    expect(JSON.parse(made.out)).toEqual({ id: expect.any(String), email, groups: [] });
  });

  it('refuses an address that is taken, in any letter case, and leaves that account as it was', async () => {
    const email = await newAccount('ADMIN_NOR');
    const again = await account('create', email.toUpperCase(), '--password', 'another secret');
    expect(again.code).toBe(1);
    expect(again.err).toMatch(/^Error: There is an account .* already/);
    expect(await groupsOf(email)).toEqual(['ADMIN_NOR']);
  });

  it.each([
    ['a word', ['--email', 'anna', '--password', PASSWORD], /not an e-mail address; use one like/],
    [
      'a short password',
      ['--email', 'a@b.org', '--password', '1234567'],
      /too short; use 12 characters or more/,
    ],
    ['an endless password', ['--email', 'a@b.org', '--password', 'ax'.repeat(501)], /too long; use 1000/],
    ['no password', ['--email', 'a@b.org'], /No password given; add --password-stdin/],
    ['an empty stdin', ['--email', 'a@b.org', '--password-stdin'], /No password came from stdin/],
    [
      'an unknown country',
      ['--email', 'a@b.org', '--password', PASSWORD, '--group', 'ADMIN_XXX'],
      /"ADMIN_XXX" names no known country; use ADMIN_/,
    ],
    [
      'another group',
      ['--email', 'a@b.org', '--password', PASSWORD, '--group', 'EDITORS'],
      /"EDITORS" is not a group of this service; use ADMIN_/,
    ],
  ])('refuses %s in one line that names the remedy, and makes nothing', async (_, options, message) => {
    const refused = await cli(['account', 'create', ...options]);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) });
    expect(refused.err).not.toContain('\n');
    expect(refused.err).not.toContain(PASSWORD);
    expect((await cli(['account', 'list'])).out).not.toContain('a@b.org');
  });
});

describe('the other account commands', () => {
  it('grant and revoke change the groups, and may be repeated', async () => {
    const email = await newAccount();
    for (let i = 0; i < 2; i++) {
      const granted = await account('grant', email, '--group', 'ADMIN_SUI');
      expect(granted).toEqual({ code: 0, out: `${email} is in ADMIN_CHE`, err: '' });
    }
    expect(await groupsOf(email)).toEqual(['ADMIN_CHE']);
    for (let i = 0; i < 2; i++) {
      const revoked = await account('revoke', email, '--group', 'ADMIN_CHE', '--json');
      expect(JSON.parse(revoked.out)).toEqual({ email, group: 'ADMIN_CHE' });
    }
    expect(await groupsOf(email)).toEqual([]);
  });

  it('password replaces the password', async () => {
    const email = await newAccount();
    expect((await account('password', email, '--password', 'another secret')).code).toBe(0);
    expect([await canSignIn(email, PASSWORD), await canSignIn(email, 'another secret')]).toEqual([
      false,
      true,
    ]);
  });

  it('disable shuts the account out, enable lets it in again', async () => {
    const email = await newAccount();
    expect((await account('disable', email)).out).toBe(`${email} is disabled`);
    expect(await canSignIn(email, PASSWORD)).toBe(false);
    expect((await account('enable', email)).out).toBe(`${email} is enabled`);
    expect(await canSignIn(email, PASSWORD)).toBe(true);
  });

  it('list shows every account with its groups and whether it is disabled', async () => {
    const [plain, admin] = [await newAccount(), await newAccount('ADMIN_GBR', 'ADMIN_FRA')];
    await account('disable', plain);
    const { out } = await cli(['account', 'list']);
    expect(out.split('\n')).toEqual(
      expect.arrayContaining([`${plain}  no groups  (disabled)`, `${admin}  ADMIN_FRA ADMIN_GBR`]),
    );
    const json: unknown = JSON.parse((await cli(['account', 'list', '--json'])).out);
    expect(json).toContainEqual({
      email: admin,
      groups: ['ADMIN_FRA', 'ADMIN_GBR'],
      disabled: false,
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it.each([
    ['grant', ['--group', 'ADMIN_GBR']],
    ['revoke', ['--group', 'ADMIN_GBR']],
    ['password', ['--password', PASSWORD]],
    ['disable', []],
    ['enable', []],
  ])('%s refuses an unknown address and says where to look', async (verb, rest) => {
    expect(await account(verb, 'nobody@example.org', ...rest)).toEqual({
      code: 1,
      out: '',
      err: 'Error: There is no account nobody@example.org; "account list" shows those there are',
    });
  });
});

describe('the program', () => {
  it('migrate says that the database is up to date', async () => {
    expect(await cli(['migrate', '--json'])).toEqual({ code: 0, out: '{"migrated":true}', err: '' });
  });

  it.each([
    'account create',
    'account grant',
    'account revoke',
    'account password',
    'account disable',
    'account enable',
    'account list',
    'calendar build',
    'competition import',
    'migrate',
    'outbox status',
    'outbox retry',
  ])('--help of %s shows its options and an example of it, and is no failure', async (command) => {
    const help = await cli([...command.split(' '), '--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toMatch(new RegExp(`--json[^]*Examples?:[^]* cli -- ${command}\\b`));
  });

  it.each([
    [['account', 'crate']],
    [['account', 'grant', '--email', 'a@b.org']],
    [['account', 'list', '--jsn']],
    [['nonsense']],
  ])('a mistyped command line %j fails and points to the help', async (line) => {
    const refused = await cli(line);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--help') });
  });

  it('--password and --password-stdin together are refused', async () => {
    const refused = await account('password', 'a@b.org', '--password', 'x', '--password-stdin');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('cannot be used with') });
  });

  it('a bad environment is named key by key', async () => {
    const refused = await cli(['account', 'list'], { env: { PORT: 'abc' } });
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^Error: PORT: /) });
  });

  it('an unexpected error is one line without the query and its parameters; the stack is for LOG_LEVEL=debug', async () => {
    const broken = connect('postgres://nobody@127.0.0.1:1/none', () => {});
    const line = ['account', 'grant', '--email', 'anna@example.org', '--group', 'ADMIN_GBR'];
    const open = () => someDeps({ db: broken, reads: broken });
    const short = await cli(line, { open });
    expect(short).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Error: .*ECONNREFUSED.*LOG_LEVEL=debug[^\n]*$/),
    });
    const long = await cli(line, { open, env: { LOG_LEVEL: 'debug' } });
    expect(long.err).toMatch(/\n {4}at /);
    expect(long.err).not.toContain('anna@example.org');
    await broken.$client.end();
  });
});
