import { expect, inject, it, onTestFinished } from 'vitest';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { refusalOf } from '../helpers/running-server.ts';
import { launch } from '../helpers/server.ts';

const PASSWORD = 'geheim';

const NOBODY = `postgres://anna:${PASSWORD}@127.0.0.1:1/none`;
const JWT_SECRET = 'x'.repeat(32);

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

it('where nobody listens, the program ends with one line that names the remedy', async () => {
  const program = launch('src/main.ts', { DATABASE_URL: NOBODY, JWT_SECRET });
  expect(await program.ended).toBe(1);
  const { stdout, stderr } = program.written;
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]*DATABASE_URL[^\n]*\n$/);
  expect(stderr).not.toContain(PASSWORD);
});

it.each([
  ['nobody listens there', async () => NOBODY, /127\.0\.0\.1:1\b.*ECONN/],
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
  const line = await refusalOf({ DATABASE_URL: await url(), JWT_SECRET });
  expect(line).toMatch(/^[^\n]*DATABASE_URL[^\n]*$/);
  expect(line).toMatch(reason);
  expect(line).not.toContain(PASSWORD);
});
