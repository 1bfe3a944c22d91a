// An installation with a sender that leads, whose clock the test moves; and in it accounts with webhooks, receivers and meetings.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { issueToken } from '../../src/accounts/authenticate.ts';
import { webhooks } from '../../src/db/schema.ts';
import { WAITING_MAX } from '../../src/webhooks/queue-changes.ts';
import { type Sender, startSender } from '../../src/webhooks/sender.ts';
import { behindFeed } from '../../src/webhooks/store.ts';
import { clientOf, startTestApp, type TestApp } from './app.ts';
import { competition } from './factories.ts';
import { numberChanges } from './feed.ts';
import { type Received, startReceiver } from './receiver.ts';

export const WEBHOOKS = '/api/v1/webhooks';

export const MEETING = {
  competitors: [{ competitor_id: '1', last_name: 'Lind' }],
  events: [{ event_id: 'T1', event_code: '100', units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }] }],
};

export const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

export const verified = (secret: string, { text, headers }: Received) =>
  new Webhook(secret).verify(text, headers as Record<string, string>);

/** For the tests of one file, each of which begins without webhooks. */
export function webhookWorld() {
  const shared = {} as { test: TestApp; sender: Sender; adminId: string };
  beforeAll(async () => {
    shared.test = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', RATE_LIMIT_WRITE: '0' });
    shared.adminId = (await shared.test.as('ADMIN_GBR')).id;
  });
  afterAll(() => shared.test.close());
  beforeEach(async () => {
    const { test } = shared;
    await test.db.delete(webhooks);
    // The package judges timestamps by the machine's clock.
    test.clock.now = new Date();
    const sender = startSender(test.deps, {
      leads: () => true,
      origin: () => 'http://data.test',
      stopMs: 0,
    });
    shared.sender = sender;
    onTestFinished(() => sender.stop());
  });

  /** With a token of this moment: the clock goes on for days. */
  const asNow = (id: string) => {
    const token = issueToken(shared.test.app, { id, tokenEpoch: 0 }, shared.test.deps.now());
    return clientOf(shared.test.app, { authorization: `Bearer ${token}` });
  };
  const byAdmin = () => asNow(shared.adminId);

  /** An account, a competition, and a webhook for the units of it. */
  async function world(sent: Record<string, unknown> = {}, parts: Record<string, unknown> = MEETING) {
    const { test } = shared;
    const receiver = await startReceiver();
    const owner = await test.as();
    const { body: meeting } = await byAdmin().post('/api/v1/competitions/', competition(parts));
    await numberChanges(test.deps);
    const { body: hook } = await owner.post(WEBHOOKS, {
      url: receiver.url,
      types: ['unit'],
      competition_id: meeting.id,
      ...sent,
    });
    const path = `${WEBHOOKS}/${hook.id}`;
    let saves = 0;
    const save = async () => {
      const performance = (11 + (saves += 1) / 100).toFixed(2);
      const unit = `/api/v1/competitions/${meeting.id}/events/T1/units/1/1`;
      await byAdmin().patch(unit, { results: [{ bib: '1', performance }] });
      await numberChanges(test.deps);
      shared.sender.wake();
    };
    return {
      receiver,
      owner,
      meeting,
      hook,
      path,
      save,
      /** Until everything that was saved waits to be sent, or was. */
      queued: () => until(async () => expect(await behindFeed(test.db, WAITING_MAX)).not.toContain(hook.id)),
      read: async () => (await asNow(owner.id).get(path)).body,
      deliveries: async () => (await asNow(owner.id).get(`${path}/deliveries`)).body,
      advance: (ms: number) => {
        test.clock.advance(ms);
        shared.sender.wake();
      },
    };
  }
  return { shared, asNow, byAdmin, world };
}
