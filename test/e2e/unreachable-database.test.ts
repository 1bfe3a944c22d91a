import { expect, inject, it, onTestFinished } from 'vitest';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { launch } from '../helpers/server.ts';

const PASSWORD = 'geheim';

async function start(databaseUrl: string) {
  const program = launch('src/main.ts', { DATABASE_URL: databaseUrl, JWT_SECRET: 'x'.repeat(32) });
  const code = await program.ended;
  return { code, out: program.written.stdout, err: program.written.stderr };
}

async function hangingUp(): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const withCredentials = (url: string, user: string) => {
  const other = new URL(url);
  Object.assign(other, { username: user, password: PASSWORD });
  return other.href;
};

it.each([
  [
    'nobody listens there',
    async () => `postgres://anna:${PASSWORD}@127.0.0.1:1/none`,
    /127\.0\.0\.1:1\b.*ECONN/,
  ],
  ['the name is unknown', async () => `postgres://anna:${PASSWORD}@db.invalid/none`, /db\.invalid/],
  [
    'something else listens there',
    async () => `postgres://anna:${PASSWORD}@127.0.0.1:${await hangingUp()}/none`,
    /cannot be reached/,
  ],
  [
    'the account does not exist',
    async () => withCredentials(inject('adminUrl'), 'nobody_of_this_name'),
    /nobody_of_this_name/,
  ],
  ['the address cannot be read', async () => `postgres://anna:${PASSWORD}#1@127.0.0.1/none`, /%23/],
])('when %s, the start ends with one line that names the remedy', async (_case, url, reason) => {
  const { code, out, err } = await start(await url());
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^[^\n]*DATABASE_URL[^\n]*\n$/);
  expect(err).toMatch(reason);
  expect(err).not.toContain(PASSWORD);
});
