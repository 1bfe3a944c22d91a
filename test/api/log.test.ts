import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { createLog } from '../../src/log.ts';
import { startTestApp } from '../helpers/app.ts';

function capture() {
  const lines: string[] = [];
  return { lines, destination: { write: (line: string) => void lines.push(line) } };
}

it('every request is in the log under the id that its answer carries, without token, password or body', async () => {
  const test = await startTestApp();
  const { lines, destination } = capture();
  const app = await buildApp(
    { ...test.deps, log: createLog('trace', destination) },
    { baseUrl: () => '', pushServer: null },
  );
  onTestFinished(async () => {
    await app.close();
    await test.close();
  });
  const { token } = await test.as('ADMIN_GBR');
  const signIn = await app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'username=nobody@example.org&password=geheimes',
  });
  const list = await app.inject({ url: '/api/v1/auth/me', headers: { authorization: `Bearer ${token}` } });
  expect([signIn.statusCode, list.statusCode]).toEqual([401, 200]);
  for (const { headers } of [signIn, list]) {
    const mine = lines.filter((line) => line.includes(`"reqId":"${String(headers['x-request-id'])}"`));
    expect(mine.length).toBeGreaterThan(0);
  }
  expect(lines.join('')).not.toMatch(/geheimes|nobody@example\.org/);
  expect(lines.join('')).not.toContain(token);
});

it('what looks like a secret is blanked wherever it is logged, and a failed query shows none of its parameters', () => {
  const { lines, destination } = capture();
  const log = createLog('info', destination);
  log.info({ req: { headers: { authorization: 'Bearer geheim' } }, account: { password: 'geheim' } });
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(geheim)' });
  log.error({ err: new Error('Failed query: insert … params: geheim', { cause }) }, 'request failed');
  expect(lines).toHaveLength(2);
  expect(lines[0]?.split('[Redacted]')).toHaveLength(3);
  expect(lines.join('')).not.toContain('geheim');
  expect(lines[1]).toContain('23505');
});
