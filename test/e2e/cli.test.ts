import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandAt } from '../helpers/cli.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/db.ts';
import { BUILT, built } from '../helpers/program.ts';
import { makeAccount } from '../helpers/server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
});

const environment = () => ({ DATABASE_URL: database.url, JWT_SECRET: 'x'.repeat(32) });

type Input = { stdin?: string; leaveOpen?: boolean };

async function cli(line: string[], { stdin = '', leaveOpen = false }: Input = {}) {
  const child = spawn(process.execPath, [built('src/cli.ts'), ...line], {
    cwd: BUILT,
    env: {
      PATH: process.env['PATH'],
      ...environment(),
    },
  });
  child.stdin.write(stdin);
  if (!leaveOpen) child.stdin.end();
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

describe('the operations program', () => {
  it('makes an account and lists it', async () => {
    const email = `${randomUUID()}@example.org`;
    const line = [
      'account',
      'create',
      '--email',
      email,
      '--password',
      'correct horse',
      '--group',
      'ADMIN_GER',
    ];
    expect(await cli(line)).toEqual({ code: 0, out: `Created account ${email} (ADMIN_DEU)\n`, err: '' });
    const listed = await runCommandAt(environment(), 'account', 'list', '--json');
    expect(JSON.parse(listed.out)).toContainEqual(
      expect.objectContaining({ email, groups: ['ADMIN_DEU'], disabled: false }),
    );
  });

  it('ends when its work is done, even if the pipe with the password stays open', async () => {
    const email = `${randomUUID()}@example.org`;
    const line = ['account', 'create', '--email', email, '--password-stdin'];
    const made = await cli(line, { stdin: 'correct horse\n', leaveOpen: true });
    expect(made).toMatchObject({ code: 0, err: '' });
  });

  it('fails with exit code 1 and one line on stderr that names the remedy', async () => {
    const refused = await cli(['account', 'grant', '--email', 'nobody@example.org', '--group', 'ADMIN_GBR']);
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: 'Error: There is no account nobody@example.org; "account list" shows those there are\n',
    });
  });

  it('imports a competition that is piped in, and prints nothing but what became of it', async () => {
    const { email } = await makeAccount(database.url, 'ADMIN_GBR');
    const stdin = JSON.stringify({ full_name: 'Piped Meeting', country_id: 'GBR', date: '2026-07-18' });
    const line = ['competition', 'import', '-', '--as', email, '--json'];
    const imported = await cli(line, { stdin });
    expect(imported).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(imported.out)).toMatchObject({
      result: 'created',
      path: '/x/2026/GBR/piped-meeting/json/',
    });
  });

  it('brings the database to the present schema, and may do so again', async () => {
    const migrated = await runCommandAt(environment(), 'migrate');
    expect(migrated).toEqual({ code: 0, out: 'The database is up to date', err: '' });
  });

  it('says so in one line when the database cannot be reached, without its password', async () => {
    const env = { ...environment(), DATABASE_URL: 'postgres://anna:geheim@127.0.0.1:1/none' };
    const refused = await runCommandAt(env, 'account', 'list');
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^Error: [^\n]+$/) });
    expect(refused.err).not.toContain('geheim');
  });
});
