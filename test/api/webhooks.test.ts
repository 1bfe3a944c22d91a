// Webhooks as their owners and receivers see them: what comes, how it is signed, who may what.
import { describe, expect, it } from 'vitest';
import { setDisabled } from '../../src/accounts/change-account.ts';
import { webhooks } from '../../src/db/schema.ts';
import { commandAnswer } from '../helpers/cli.ts';
import { competition } from '../helpers/factories.ts';
import { numberChanges } from '../helpers/feed.ts';
import { status } from '../helpers/receiver.ts';
import { MEETING, until, verified, webhookWorld, WEBHOOKS } from '../helpers/webhooks.ts';

const HOUR = 3_600_000;
const { shared, byAdmin, world } = webhookWorld();

describe('a change', () => {
  it('is sent once, signed, thin, and as the feed tells of it', async () => {
    const { receiver, hook, save, deliveries, meeting } = await world();
    await save();
    await until(() => expect(receiver.all).toHaveLength(1));
    const [received] = receiver.all;
    expect(verified(hook.secret, received!)).toEqual(JSON.parse(received!.text));
    expect(() => verified(hook.secret, { ...received!, text: `${received!.text} ` })).toThrow(
      'No matching signature found',
    );
    expect(received!.text.length).toBeLessThan(2000);
    const { epoch, changes } = (await shared.test.get(`/api/v1/changes?competition=${meeting.id}&types=unit`))
      .body;
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
    shared.sender.wake();
    await save();
    await until(() => expect(receiver.all).toHaveLength(2));
    expect(new Set(receiver.all.map(({ id }) => id)).size).toBe(2);
  });

  it('of another type, country or competition is not sent; a deletion is', async () => {
    const { receiver, meeting, save } = await world();
    const french = await world({ competition_id: null, country: 'FRA', types: null });
    await byAdmin().post('/api/v1/competitions/', competition(MEETING));
    await save();
    // Of what is deleted before it is sent the deletion alone is told.
    await until(() => expect(receiver.all).toHaveLength(1));
    await byAdmin().delete(`/api/v1/competitions/${meeting.id}`);
    await numberChanges(shared.test.deps);
    await until(() =>
      expect(receiver.all.map(({ type }) => type).toSorted()).toEqual(['unit.changed', 'unit.deleted']),
    );
    expect(receiver.all.every(({ data }) => data.competition_id === meeting.id)).toBe(true);
    expect(french.receiver.all).toEqual([]);
  });
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
  shared.test.clock.now = new Date();
});

it('a ping and a redelivery go out at once, the latter under its old id, also to a receiver that is left alone', async () => {
  const { receiver, save, owner, path, deliveries, hook } = await world();
  receiver.behave = status(500);
  await save();
  await until(async () => expect((await deliveries())[0].attempts).toBe(1));
  receiver.behave = status(200);
  const pinged = await owner.post(`${path}/ping`, {});
  expect(pinged).toMatchObject({ status: 202, body: { type: 'ping', state: 'waiting' } });
  shared.sender.wake();
  await until(() => expect(receiver.all.at(-1)).toMatchObject({ type: 'ping', id: pinged.body.id }));
  expect(receiver.all.at(-1)!.data).toEqual({ webhook_id: hook.id });
  const [first] = receiver.all;
  expect((await owner.post(`${path}/deliveries/${first!.id}/redeliver`, {})).status).toBe(202);
  shared.sender.wake();
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
    const other = await shared.test.as('ADMIN_GBR');
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
    const owner = await shared.test.as();
    const url = 'https://scores.example.org/hook';
    for (let n = 0; n < 20; n += 1) expect((await owner.post(WEBHOOKS, { url })).status).toBe(201);
    expect((await owner.post(WEBHOOKS, { url })).status).toBe(409);
  });

  it('that is disabled has nothing sent; enabled, it is told of everything since', async () => {
    const { receiver, owner, save } = await world();
    await setDisabled(shared.test.deps, { email: owner.email, disabled: true });
    await save();
    const quick = await world();
    await quick.save();
    await until(() => expect(quick.receiver.all).toHaveLength(1));
    expect(receiver.all).toEqual([]);
    await setDisabled(shared.test.deps, { email: owner.email, disabled: false });
    shared.sender.wake();
    await until(() => expect(receiver.all).toHaveLength(1));
  });
});

it('what no webhook can be is refused, every fault with its path, and nothing is stored', async () => {
  const owner = await shared.test.as();
  const faulty = { url: 'ftp://scores.example.org', types: ['result'], country: 'XYZ', competition_id: '1' };
  const refused = await owner.post(WEBHOOKS, faulty);
  expect(refused.status).toBe(422);
  expect(refused.body.detail.map(({ loc }: { loc: string[] }) => loc.slice(0, 2).join('.'))).toEqual([
    'body.url',
    'body.types',
    'body.country',
    'body.competition_id',
  ]);
  expect((await owner.post(WEBHOOKS, {})).status).toBe(422);
  expect((await owner.get(WEBHOOKS)).body).toEqual([]);
});

it('a webhook that cannot go on in the feed is told so, and where to begin anew', async () => {
  const { receiver, hook, save, meeting } = await world();
  await shared.test.db.update(webhooks).set({ epoch: 'aaaaaaaaaaaa' });
  await save();
  await until(() => expect(receiver.all.map(({ type }) => type)).toContain('feed.lost'));
  const lost = receiver.all.find(({ type }) => type === 'feed.lost')!;
  expect(lost.data).toMatchObject({
    snapshot: `http://data.test/api/v1/changes?competition=${meeting.id}&types=unit`,
  });
  verified(hook.secret, lost);
  const { status: answered } = await shared.test.get(`/api/v1/changes?after=${lost.data.cursor}`);
  expect(answered).toBe(200);
  await save();
  await until(() => expect(receiver.all.at(-1)!.type).toBe('unit.changed'));
});

it('operators list all of them and disable any', async () => {
  const { hook, owner, read } = await world();
  const listed = (await commandAnswer(shared.test.deps, 'webhook', 'list')) as { id: string }[];
  expect(listed.find(({ id }) => id === hook.id)).toMatchObject({ account: owner.email, disabled: false });
  expect(JSON.stringify(listed)).not.toContain('whsec_');
  await commandAnswer(shared.test.deps, 'webhook', 'disable', hook.id);
  expect(await read()).toMatchObject({ disabled: true, disabled_reason: 'operator' });
});

it('metrics tell how many are served, failing and disabled, and how many deliveries wait', async () => {
  const { save, receiver, deliveries } = await world();
  receiver.behave = status(500);
  await save();
  await until(async () => expect((await deliveries())[0].attempts).toBe(1));
  const { text } = await shared.test.get('/metrics');
  expect(text).toMatch(/^webhook_deliveries_waiting 1$/m);
  expect(text).toMatch(/^webhooks\{state="failing"\} [1-9]/m);
  expect(text).toMatch(/^webhooks\{state="disabled"\} \d/m);
});
