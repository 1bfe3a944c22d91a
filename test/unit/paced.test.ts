import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { paced } from '../../src/http/paced.ts';

/** As many pieces as are taken, and what has become of their maker. */
function pieces() {
  const made = { count: 0, ended: false };
  async function* make() {
    try {
      for (;;) {
        made.count += 1;
        yield 'x'.repeat(1000);
      }
    } finally {
      made.ended = true;
    }
  }
  return { made, make };
}

test.each([0, 3])(
  'a reader that stops after %d pieces is cut off, and nothing more is made for it',
  async (taken) => {
    const { made, make } = pieces();
    const stream = paced(make(), { bytesPerSecond: 1e6, graceMs: 30 });
    const failed = new Promise<Error>((resolve) => stream.once('error', resolve));
    const reader = stream[Symbol.asyncIterator]();
    for (let n = 0; n < taken; n += 1) await reader.next();
    stream.read();
    expect((await failed).message).toContain('less than 1000000 bytes a second');
    expect(made.count).toBeLessThan(taken + 5);
    expect(made.ended).toBe(true);
  },
);

test('one that keeps the pace reads on, however long that takes', async () => {
  const { made, make } = pieces();
  const stream = paced(make(), { bytesPerSecond: 100_000, graceMs: 5000 });
  for await (const piece of stream) {
    expect(piece).toHaveLength(1000);
    if (made.count > 20) break;
    await sleep(2);
  }
  expect(made.ended).toBe(true);
});
