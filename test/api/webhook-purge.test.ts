// The purge of deliveries, by the sender as it runs: what is too old or too much goes, what waits stays.
import { expect, it } from 'vitest';
import { webhookDeliveries } from '../../src/db/schema.ts';
import { status } from '../helpers/receiver.ts';
import { until, webhookWorld } from '../helpers/webhooks.ts';

const DAY_MS = 24 * 3600 * 1000;
const { shared, asNow, world } = webhookWorld();

const stored = async () =>
  (await shared.test.db.select().from(webhookDeliveries).orderBy(webhookDeliveries.position)).map(
    ({ state, createdAt }) => ({ state, createdAt: createdAt.getTime() }),
  );
const states = async () => (await stored()).map(({ state }) => state);

it('deliveries that arrived are kept for thirty days, and what waits for its receiver for as long as it waits', async () => {
  const { receiver, save, advance, owner, path } = await world();
  await save();
  await until(async () => expect(await states()).toEqual(['delivered']));
  advance(20 * DAY_MS);
  await save();
  await until(async () => expect(await states()).toEqual(['delivered', 'delivered']));
  receiver.behave = status(500);
  await save();
  await until(() => expect(receiver.all).toHaveLength(3));
  await until(() => expect(receiver.open).toBe(0));
  await asNow(owner.id).patch(path, { disabled: true });
  advance(9 * DAY_MS);
  await save();
  expect(await states()).toEqual(['delivered', 'delivered', 'waiting']);
  const [, younger, waiting] = await stored();
  advance(2 * DAY_MS);
  await until(async () => expect(await stored()).toEqual([younger, waiting]));
  advance(100 * DAY_MS);
  await until(async () => expect(await stored()).toEqual([waiting]));
});

it('of a receiver the newest thousand are kept beside what waits, and nothing is taken from another', async () => {
  const { advance, hook, owner, path } = await world();
  const other = await world();
  await asNow(owner.id).patch(path, { disabled: true });
  const createdAt = shared.test.clock.now;
  const row = { webhookId: hook.id, type: 'unit', body: '{}', nextAttemptAt: createdAt, createdAt };
  const arrived = { ...row, state: 'delivered' as const };
  await shared.test.db.insert(webhookDeliveries).values([row, row]);
  await shared.test.db.insert(webhookDeliveries).values(Array.from({ length: 1010 }, () => arrived));
  await shared.test.db.insert(webhookDeliveries).values({ ...arrived, webhookId: other.hook.id });
  advance(2 * 3600 * 1000);
  await until(async () => expect(await states()).toHaveLength(1003));
  expect((await states()).slice(0, 3)).toEqual(['waiting', 'waiting', 'delivered']);
  const deliveries = await shared.test.db.select().from(webhookDeliveries);
  expect(deliveries.filter(({ webhookId }) => webhookId === other.hook.id)).toHaveLength(1);
});

it('a meeting recorded for hours makes no more deliveries to a receiver that is away than there are units', async () => {
  const { receiver, save, advance } = await world();
  receiver.behave = status(500);
  for (let n = 0; n < 8; n += 1) {
    await save();
    advance(10 * 60_000);
    await until(() => expect(receiver.open).toBe(0));
  }
  expect((await states()).filter((state) => state === 'waiting').length).toBeLessThanOrEqual(1);
});
