import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { outbox } from '../../src/db/schema.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  await test.db.delete(outbox);
});
afterAll(() => test.close());

async function cli(...line: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(['outbox', ...line], {
    env: {},
    createDeps: async () => ({ deps: test.deps, close: async () => {} }),
    stdin: new PassThrough(),
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

type Row = Partial<typeof outbox.$inferInsert>;
const add = (...rows: Row[]) =>
  test.db.insert(outbox).values(
    rows.map((row) => ({
      competitionId: randomUUID(),
      channel: 'x-2026-GBR-open-overview',
      event: 'latest_attempt',
      data: '{}',
      ...row,
    })),
  );

const GIVEN_UP = { dead: true, attempts: 1, lastError: 'HTTP 400 bad channel name' };
const json = async (...line: string[]) => {
  const answer = await cli(...line, '--json');
  expect(answer).toMatchObject({ code: 0, err: '' });
  return JSON.parse(answer.out);
};

describe('outbox status', () => {
  it('says so when nothing waits', async () => {
    expect(await cli('status')).toEqual({ code: 0, out: 'Nothing waits\nNothing was given up', err: '' });
    expect(await json('status')).toEqual({
      rows: 0,
      oldest_seconds: 0,
      last_error: null,
      dead: 0,
      given_up: [],
    });
  });

  it('tells how many wait, for how long and why, and which were given up with their last error', async () => {
    const createdAt = new Date(Date.now() - 3_600_000);
    await add({ createdAt, lastError: 'HTTP 503 overloaded' }, {}, GIVEN_UP);
    const { out } = await cli('status');
    expect(out).toMatch(/^2 waiting, the oldest for \d+(\.\d)? s\n {2}last error: HTTP 503 overloaded\n/);
    expect(out).toMatch(/\n1 given up .*\n {2}\d+ {2}latest_attempt {2}x-2026-GBR-open-overview {2}HTTP 400/);
    const status = await json('status');
    expect(status).toMatchObject({ rows: 2, dead: 1, last_error: 'HTTP 503 overloaded' });
    expect(status.oldest_seconds).toBeGreaterThan(3000);
    expect(status.given_up).toEqual([
      {
        id: expect.any(Number),
        channel: 'x-2026-GBR-open-overview',
        event: 'latest_attempt',
        error: 'HTTP 400 bad channel name',
      },
    ]);
  });

  it('of many given up it lists the newest and counts the rest', async () => {
    await add(...Array.from({ length: 23 }, (_, n) => ({ ...GIVEN_UP, lastError: `reason ${n}` })));
    const { out } = await cli('status');
    expect(out).toContain('reason 22');
    expect(out).not.toMatch(/reason 2$/m);
    expect(out).toContain('and 3 before these');
  });
});

describe('outbox retry', () => {
  it('puts what was given up back, and nothing else', async () => {
    await add(GIVEN_UP, GIVEN_UP, {});
    expect(await cli('retry')).toMatchObject({ code: 0, out: expect.stringMatching(/^2 put back/) });
    expect(await json('status')).toMatchObject({ rows: 3, dead: 0 });
    expect(await json('retry')).toEqual({ retried: 0 });
  });
});

it('--help shows examples', async () => {
  for (const line of [[], ['status'], ['retry']]) {
    const { out } = await cli(...line, '--help');
    expect(out).toContain('npm run cli -- outbox retry');
  }
});
