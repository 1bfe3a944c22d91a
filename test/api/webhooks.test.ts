// Webhooks as their receivers see them: what comes, how it is signed, and what becomes of it when they are slow, away or unwilling.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { issueToken } from '../../src/accounts/authenticate.ts';
import { setDisabled } from '../../src/accounts/change-account.ts';
import { webhooks } from '../../src/db/schema.ts';
import { startSender } from '../../src/webhooks/sender.ts';
import { clientOf, startTestApp, type TestApp } from '../helpers/app.ts';
import { commandAnswer } from '../helpers/cli.ts';
import { competition } from '../helpers/factories.ts';
import { numberChanges } from '../helpers/feed.ts';
import { type Received, startReceiver, status } from '../helpers/receiver.ts';

const WEBHOOKS = '/api/v1/webhooks';
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', RATE_LIMIT_WRITE: '0' });
  ({ id: adminId } = await test.as('ADMIN_GBR'));
});
let adminId: string;
afterAll(() => test.close());

/** With a token of this moment: the clock goes on for days. */
const asNow = (id: string) =>
  clientOf(test.app, {
    authorization: `Bearer ${issueToken(test.app, { id, tokenEpoch: 0 }, test.deps.now())}`,
  });
const byAdmin = () => asNow(adminId);

/** The sender of a process that leads, until the test ends. */
function sending() {
  const sender = startSender(test.deps, { leads: () => true, origin: () => 'http://data.test', stopMs: 0 });
  onTestFinished(() => sender.stop());
  return sender;
}
let sender: ReturnType<typeof sending>;
beforeEach(async () => {
  await test.db.delete(webhooks);
  // The package judges timestamps by the machine's clock.
  test.clock.now = new Date();
  sender = sending();
});

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 5000, interval: 20 });

const MEETING = {
  competitors: [{ competitor_id: '1', last_name: 'Lind' }],
  events: [{ event_id: 'T1', event_code: '100', units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }] }],
};

/** An account, a competition, and a webhook for the units of it. */
async function world(sent: Record<string, unknown> = {}, parts: object = MEETING) {
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
    sender.wake();
  };
  return {
    receiver,
    owner,
    meeting,
    hook,
    path,
    save,
    read: async () => (await asNow(owner.id).get(path)).body,
    deliveries: async () => (await asNow(owner.id).get(`${path}/deliveries`)).body,
    advance: (ms: number) => {
      test.clock.advance(ms);
      sender.wake();
    },
  };
}

const verified = (secret: string, { text, headers }: Received) =>
  new Webhook(secret).verify(text, headers as Record<string, string>);

describe('a change', () => {
  it('is sent once, signed, thin, and as the feed tells of it', async () => {
    const { receiver, hook, save, deliveries, meeting } = await world();
    await save();
    await until(() => expect(receiver.all).toHaveLength(1));
    const [received] = receiver.all;
    expect(verified(hook.secret, received!)).toEqual(JSON.parse(received!.text));
    expect(() => verified(hook.secret, { ...received!, text: `${received!.text} ` })).toThrow();
    expect(received!.text.length).toBeLessThan(2000);
    const { epoch, changes } = (await test.get(`/api/v1/changes?competition=${meeting.id}&types=unit`)).body;
    const { url, cursor, ...change } = changes.at(-1);
    expect(received).toMatchObject({ type: 'unit.changed', data: change });
    expect(new URL(received!.data.url).pathname).toBe(new URL(url).pathname);
    expect(received!.data.cursor).toMatch(new RegExp(`^${epoch}-`));
    expect(received!.data.cursor).toBe(cursor);
    expect(JSON.parse(received!.text).timestamp).toBe(change.updated_at);
    await until(async () =>
      expect(await deliveries()).toMatchObject([
        { id: received!.id, state: 'delivered', attempts: 1, last_status: 204, last_error: null },
      ]),
    );
    // Nobody saved since: nothing more is sent.
    sender.wake();
    await save();
    await until(() => expect(receiver.all).toHaveLength(2));
    expect(new Set(receiver.all.map(({ id }) => id)).size).toBe(2);
  });

  it('of another type, country or competition is not sent; a deletion is', async () => {
    const { receiver, meeting, save } = await world();
    const french = await world({ competition_id: null, country: 'FRA', types: null });
    await byAdmin().post('/api/v1/competitions/', competition(MEETING));
    await save();
    await byAdmin().delete(`/api/v1/competitions/${meeting.id}`);
    await numberChanges(test.deps);
    await until(() =>
      expect(receiver.all.map(({ type }) => type).toSorted()).toEqual(['unit.changed', 'unit.deleted']),
    );
    expect(receiver.all.every(({ data }) => data.competition_id === meeting.id)).toBe(true);
    expect(french.receiver.all).toEqual([]);
  });
});

describe('a receiver that fails', () => {
  const deliveredOnce = async (times: number, receiver: { all: Received[] }) => {
    await until(() => expect(receiver.all).toHaveLength(times));
    expect(new Set(receiver.all.map(({ id }) => id)).size).toBe(1);
  };

  it.each([500, 301, 404, 204])(
    'with %i is called again after 5 s and 5 minutes, unless it took it',
    async (code) => {
      const { receiver, save, advance, deliveries, read } = await world();
      receiver.behave = status(code, { location: receiver.url });
      await save();
      await deliveredOnce(1, receiver);
      if (code === 204) return until(async () => expect((await deliveries())[0].state).toBe('delivered'));
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
      return undefined;
    },
  );

  it('and says Retry-After is left alone for so long', async () => {
    const { receiver, save, advance, deliveries } = await world();
    receiver.behave = status(503, { 'retry-after': '120' });
    await save();
    await until(async () => expect((await deliveries())[0].attempts).toBe(1));
    const due = Date.parse((await deliveries())[0].next_attempt_at) - test.clock.now.getTime();
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
    const entries = (await commandAnswer(test.deps, 'audit')) as { target: string; action: string }[];
    const own = entries.filter(({ target }) => target === hook.id).map(({ action }) => action);
    expect(own).toEqual(['webhook.create', 'webhook.disable']);
    await save();
    await save();
    receiver.behave = status(200);
    expect((await asNow(owner.id).patch(path, { disabled: false })).body).toMatchObject({ disabled: false });
    const { changes } = (await test.get('/api/v1/changes?types=unit')).body;
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
    const { receiver, save, advance, deliveries } = await world();
    receiver.behave = status(500);
    await save();
    await until(async () => expect((await deliveries())[0].attempts).toBe(1));
    for (let n = 0; n < 5; n += 1) await save();
    await until(async () => expect(await deliveries()).toHaveLength(2));
    receiver.behave = status(204);
    advance(10 * SECOND);
    await until(async () =>
      expect((await deliveries()).map(({ state }: { state: string }) => state)).toEqual([
        'delivered',
        'superseded',
      ]),
    );
    const { changes } = (await test.get('/api/v1/changes?types=unit')).body;
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
    await numberChanges(test.deps);
    // Those that went out together are one failure; then one at a time.
    for (let failures = 1; failures <= 3; failures += 1) {
      sender.wake();
      await until(async () => expect((await test.db.select().from(webhooks))[0]!.failures).toBe(failures));
      if (failures === 1) await until(() => expect(receiver.open).toBe(0));
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

it('after a rotation both secrets verify for a day, then the new one alone', async () => {
  const { receiver, hook, save, owner, path, advance, read } = await world();
  const { body: rotated } = await owner.post(`${path}/rotate`, {});
  expect(rotated.secret).not.toBe(hook.secret);
  await save();
  await until(() => expect(receiver.all).toHaveLength(1));
  for (const secret of [hook.secret, rotated.secret]) verified(secret, receiver.all[0]!);
  expect((await read()).former_secret_until).not.toBeNull();
  advance(25 * HOUR);
  await save();
  await until(() => expect(receiver.all).toHaveLength(2));
  expect(String(receiver.all[1]!.headers['webhook-signature']).split(' ')).toHaveLength(1);
  test.clock.now = new Date();
});

it('a ping and a redelivery go out at once, the latter under its old id, also to a receiver that is left alone', async () => {
  const { receiver, save, owner, path, deliveries, hook } = await world();
  receiver.behave = status(500);
  await save();
  await until(async () => expect((await deliveries())[0].attempts).toBe(1));
  receiver.behave = status(200);
  const pinged = await owner.post(`${path}/ping`, {});
  expect(pinged).toMatchObject({ status: 202, body: { type: 'ping', state: 'waiting' } });
  sender.wake();
  await until(() => expect(receiver.all.at(-1)).toMatchObject({ type: 'ping', id: pinged.body.id }));
  expect(receiver.all.at(-1)!.data).toEqual({ webhook_id: hook.id });
  const [first] = receiver.all;
  expect((await owner.post(`${path}/deliveries/${first!.id}/redeliver`, {})).status).toBe(202);
  sender.wake();
  await until(() => expect(receiver.all.filter(({ id }) => id === first!.id)).toHaveLength(2));
  expect(receiver.all.at(-1)!.text).toBe(first!.text);
  await until(async () => expect((await deliveries())[1].state).toBe('delivered'));
});

describe('an account', () => {
  it('sees its own webhooks alone, and no secret but in the answer that made it', async () => {
    const { owner, hook, path, deliveries, save } = await world();
    await save();
    await until(async () => expect(await deliveries()).toHaveLength(1));
    const [delivery] = await deliveries();
    const other = await test.as('ADMIN_GBR');
    const answers = await Promise.all([
      other.get(path),
      other.patch(path, { disabled: true }),
      other.delete(path),
      other.post(`${path}/rotate`, {}),
      other.post(`${path}/ping`, {}),
      other.get(`${path}/deliveries`),
      other.post(`${path}/deliveries/${delivery.id}/redeliver`, {}),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(Array(7).fill(404));
    expect((await other.get(WEBHOOKS)).body).toEqual([]);
    const { secret, ...record } = hook;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = [await owner.get(WEBHOOKS), await owner.get(path), await owner.get(`${path}/deliveries`)];
    expect(shown.map(({ text }) => text).join()).not.toContain('whsec_');
    expect(shown[0]!.body).toEqual([expect.objectContaining({ id: record.id, url: record.url })]);
    expect((await owner.delete(path)).status).toBe(204);
    expect((await owner.get(path)).status).toBe(404);
  });

  it('may have twenty', async () => {
    const owner = await test.as();
    const url = 'https://scores.example.org/hook';
    for (let n = 0; n < 20; n += 1) expect((await owner.post(WEBHOOKS, { url })).status).toBe(201);
    expect((await owner.post(WEBHOOKS, { url })).status).toBe(409);
  });

  it('that is disabled has nothing sent; enabled, it is told of everything since', async () => {
    const { receiver, owner, save } = await world();
    await setDisabled(test.deps, { email: owner.email, disabled: true });
    await save();
    const quick = await world();
    await quick.save();
    await until(() => expect(quick.receiver.all).toHaveLength(1));
    expect(receiver.all).toEqual([]);
    await setDisabled(test.deps, { email: owner.email, disabled: false });
    sender.wake();
    await until(() => expect(receiver.all).toHaveLength(1));
  });
});

it('a webhook that cannot go on in the feed is told so, and where to begin anew', async () => {
  const { receiver, hook, save, meeting } = await world();
  await test.db.update(webhooks).set({ epoch: 'aaaaaaaaaaaa' });
  await save();
  await until(() => expect(receiver.all.map(({ type }) => type)).toContain('feed.lost'));
  const lost = receiver.all.find(({ type }) => type === 'feed.lost')!;
  expect(lost.data).toMatchObject({
    snapshot: `http://data.test/api/v1/changes?competition=${meeting.id}&types=unit`,
  });
  verified(hook.secret, lost);
  const { status: answered } = await test.get(`/api/v1/changes?after=${lost.data.cursor}`);
  expect(answered).toBe(200);
  await save();
  await until(() => expect(receiver.all.at(-1)!.type).toBe('unit.changed'));
});

it('operators list all of them and disable any', async () => {
  const { hook, owner, read } = await world();
  const listed = (await commandAnswer(test.deps, 'webhook', 'list')) as { id: string }[];
  expect(listed.find(({ id }) => id === hook.id)).toMatchObject({ account: owner.email, disabled: false });
  expect(JSON.stringify(listed)).not.toContain('whsec_');
  await commandAnswer(test.deps, 'webhook', 'disable', hook.id);
  expect(await read()).toMatchObject({ disabled: true, disabled_reason: 'operator' });
});

it('metrics tell how many are served, failing and disabled', async () => {
  await world();
  const { text } = await test.get('/metrics');
  expect(text).toMatch(/^webhooks\{state="active"\} [1-9]/m);
  expect(text).toMatch(/^webhooks\{state="disabled"\} \d/m);
});
