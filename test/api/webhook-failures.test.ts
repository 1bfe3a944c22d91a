// Receivers of webhooks that are slow, away or unwilling: what becomes of what is sent to them, and to others meanwhile.
import { describe, expect, it } from 'vitest';
import { webhooks } from '../../src/db/schema.ts';
import { commandAnswer } from '../helpers/cli.ts';
import { numberChanges } from '../helpers/feed.ts';
import { type Received, status } from '../helpers/receiver.ts';
import { MEETING, until, webhookWorld } from '../helpers/webhooks.ts';

const SECOND = 1000;
const MINUTE = 60_000;
const { shared, asNow, byAdmin, world } = webhookWorld();

const deliveredOnce = async (times: number, receiver: { all: Received[] }) => {
  await until(() => expect(receiver.all).toHaveLength(times));
  expect(new Set(receiver.all.map(({ id }) => id)).size).toBe(1);
};

describe('a receiver that fails', () => {
  it.each([500, 301, 404])(
    'with %i is called again after 5 s and 5 minutes, until it takes it',
    async (code) => {
      const { receiver, save, advance, deliveries, read } = await world();
      receiver.behave = status(code, { location: receiver.url });
      await save();
      await deliveredOnce(1, receiver);
      const state = { state: 'waiting', attempts: 1, last_status: code };
      await until(async () => expect((await deliveries())[0]).toMatchObject(state));
      expect((await read()).failing_since).not.toBeNull();
      advance(6 * SECOND);
      await deliveredOnce(2, receiver);
      await until(async () => expect((await deliveries())[0].attempts).toBe(2));
      advance(4 * MINUTE);
      receiver.behave = status(200);
      advance(2 * MINUTE);
      await deliveredOnce(3, receiver);
      await until(async () => expect(await read()).toMatchObject({ failing_since: null, disabled: false }));
    },
  );

  it('and says Retry-After is left alone for so long', async () => {
    const { receiver, save, advance, deliveries } = await world();
    receiver.behave = status(503, { 'retry-after': '120' });
    await save();
    await until(async () => expect((await deliveries())[0].attempts).toBe(1));
    const due = Date.parse((await deliveries())[0].next_attempt_at) - shared.test.clock.now.getTime();
    expect(due).toBe(120 * SECOND);
    await save();
    advance(119 * SECOND);
    await save();
    expect(receiver.all).toHaveLength(1);
    receiver.behave = status(204);
    advance(2 * SECOND);
    await until(() => expect(receiver.all).toHaveLength(2));
  });

  it('is disabled after the last retry, which is said in the row and the audit; enabled, it goes on where it stopped', async () => {
    const { receiver, save, advance, deliveries, read, owner, path, hook } = await world();
    receiver.behave = status(500);
    await save();
    const minutes = [0.1, 5, 30, 120, 300, 600, 840, 1200, 1440];
    for (const [index, wait] of minutes.entries()) {
      await until(async () => expect((await deliveries())[0].attempts).toBe(index + 1));
      advance(1.1 * wait * MINUTE);
    }
    await until(async () => expect((await deliveries())[0].attempts).toBe(10));
    expect(receiver.all).toHaveLength(10);
    expect(await read()).toMatchObject({ disabled: true, disabled_reason: 'failed' });
    const entries = (await commandAnswer(shared.test.deps, 'audit')) as { target: string; action: string }[];
    const own = entries.filter(({ target }) => target === hook.id).map(({ action }) => action);
    expect(own).toEqual(['webhook.create', 'webhook.disable']);
    await save();
    await save();
    receiver.behave = status(200);
    expect((await asNow(owner.id).patch(path, { disabled: false })).body).toMatchObject({ disabled: false });
    const { changes } = (await shared.test.get('/api/v1/changes?types=unit')).body;
    await until(() => expect(receiver.all.at(-1)!.data.revision).toBe(changes.at(-1).revision));
    // What was tried before may have gone once more; of what changed over and over there was one.
    expect(receiver.all.length).toBeLessThanOrEqual(12);
  });

  it('with 410 is disabled at once', async () => {
    const { receiver, save, read, owner, path } = await world();
    receiver.behave = status(410);
    await save();
    await until(async () => expect(await read()).toMatchObject({ disabled: true, disabled_reason: 'gone' }));
    expect(receiver.all).toHaveLength(1);
    expect((await owner.post(`${path}/ping`, {})).status).toBe(409);
  });

  it('is told of the newest state alone of what changed over and over meanwhile', async () => {
    const { receiver, save, queued, advance, deliveries } = await world();
    receiver.behave = status(500);
    await save();
    await until(async () => expect((await deliveries())[0].attempts).toBe(1));
    for (let n = 0; n < 5; n += 1) await save();
    await queued();
    expect(await deliveries()).toHaveLength(2);
    receiver.behave = status(204);
    advance(10 * SECOND);
    await until(async () =>
      expect((await deliveries()).map(({ state }: { state: string }) => state)).toEqual([
        'delivered',
        'superseded',
      ]),
    );
    const { changes } = (await shared.test.get('/api/v1/changes?types=unit')).body;
    expect(receiver.all.at(-1)!.data.revision).toBe(changes.at(-1).revision);
    // Under another id: the first may have arrived, for all that is known.
    expect(new Set(receiver.all.map(({ id }) => id)).size).toBe(2);
  });

  it('takes everything that waited once it is back, whenever that was due', async () => {
    const units = Array.from({ length: 6 }, (_, n) => ({ round: 1, heat: n + 1, results: [{ bib: '1' }] }));
    const events = [{ event_id: 'T1', event_code: '100', units }];
    const { receiver, advance, meeting, deliveries } = await world({}, { ...MEETING, events });
    receiver.behave = status(500);
    const changed = units.map((unit) => ({ ...unit, results: [{ bib: '1', performance: '11.11' }] }));
    await byAdmin().post(`/api/v1/competitions/${meeting.id}`, {
      events: [{ event_id: 'T1', units: changed }],
    });
    await numberChanges(shared.test.deps);
    // Those that went out together are one failure; then one at a time.
    for (let failures = 1; failures <= 3; failures += 1) {
      shared.sender.wake();
      await until(async () =>
        expect((await shared.test.db.select().from(webhooks))[0]!.failures).toBe(failures),
      );
      await until(() => expect(receiver.open).toBe(0));
      advance(MINUTE);
    }
    receiver.behave = status(204);
    advance(MINUTE);
    await until(async () => {
      const states = (await deliveries()).map(({ state }: { state: string }) => state);
      expect(states).toEqual(Array(6).fill('delivered'));
    });
  });
});

it('a receiver that never answers holds up no other, and gets one call at a time from then on', async () => {
  const slow = await world({ types: null });
  slow.receiver.behave = () => {};
  const quick = await world();
  for (let n = 0; n < 3; n += 1) await slow.save();
  await until(() => expect(slow.receiver.all.length).toBeGreaterThanOrEqual(1));
  for (let n = 1; n <= 3; n += 1) {
    await quick.save();
    await until(() => expect(quick.receiver.all).toHaveLength(n));
  }
  expect(slow.receiver.openMax).toBeLessThanOrEqual(4);
});

it('a receiver that answers with megabytes, or for ever, has taken it all the same', async () => {
  const { receiver, save, deliveries } = await world();
  let written = 0;
  receiver.behave = (response) => {
    const block = Buffer.alloc(65_536);
    const more = () => {
      while (!response.destroyed && response.write(block)) written += block.length;
    };
    response.writeHead(200).on('drain', more);
    more();
  };
  await save();
  await until(async () => expect((await deliveries())[0].state).toBe('delivered'));
  await until(() => expect(receiver.open).toBe(0));
  expect(written).toBeLessThan(16 * 1024 * 1024);
});
