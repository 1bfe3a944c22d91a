// Saves whose answer from the database is lost: what the client is told, and what its repeat comes to.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { connect, urlNow } from '../../src/db/client.ts';
import { outboxBellOf } from '../../src/push/outbox-bell.ts';
import { type Answer, type Client, clientOf, startTestApp, type TestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { fieldUnit } from '../helpers/field-unit.ts';
import { leadsHere } from '../helpers/leads-here.ts';
import { startProxy, through } from '../helpers/tcp-proxy.ts';

let api: TestApp;
beforeAll(async () => {
  api = await startTestApp();
});
afterAll(() => api.close());

/** A replica whose saves go through a network that may lose answers. */
async function lossyReplica(token: string) {
  const url = urlNow(api.deps.databaseUrl);
  const proxy = await startProxy(Number(new URL(url).port));
  const db = connect(through(proxy, url), () => {}, 5);
  // The network carries what is saved, and no ringing.
  leadsHere(outboxBellOf(db));
  const app = await buildApp({ ...api.deps, db }, { baseUrl: () => 'http://data.test', pushServer: null });
  onTestFinished(async () => {
    await app.close();
    await db.$client.end();
  });
  const client = clientOf(app, { authorization: `Bearer ${token}` });
  /** Loses the first answer of that tag which the request gets from the database. */
  const losing = async (tag: string, request: () => Promise<Answer>) => {
    const lost = proxy.loseAnswer(tag);
    const answer = await request();
    await lost;
    return answer;
  };
  return { client, proxy, losing };
}

async function highJump() {
  const judge = await api.as('ADMIN_GBR');
  const world = await fieldUnit(judge, { code: 'HJ', bibs: ['1', '2', '3'] });
  const replica = await lossyReplica(judge.token);
  const path = `${world.path}/attempts`;
  const failure = { bib: '1', height: '1.75', result: 'x' };
  const sendTo = (client: Client) => (body: unknown, headers?: Record<string, string>) =>
    client.post(path, body, headers);
  const send = sendTo(replica.client);
  // What a save leaves in memory makes the next one a single statement.
  await send({ bib: '2', height: '1.70', result: 'o' });
  const lose = (body: unknown, headers?: Record<string, string>) =>
    replica.losing('SELECT 1', () => send(body, headers));
  const marks = async (bib = '1') => {
    const { trials } = await world.current();
    return trials
      .filter((trial: { bib: string }) => trial.bib === bib)
      .map(({ result }: { result: string }) => result);
  };
  return { ...world, ...replica, judge, failure, send, lose, elsewhere: sendTo(judge), marks };
}

const expectUncertain = (answer: Answer) => {
  expect(answer.status).toBe(503);
  expect(answer.headers).toMatchObject({ 'retry-after': '5' });
  expect(answer.body.detail).toMatch(/it may have been saved\. Read it to find out/);
};
const keyIn = ({ headers }: Answer) => ({ 'idempotency-key': String(headers['idempotency-key']) });

describe('a save whose commit was not answered says that it may have been saved, and repeated it is stored once:', () => {
  test('a create, whose duplicate is named as this account’s own', async () => {
    const { token } = await api.as('ADMIN_GBR');
    const { client, losing } = await lossyReplica(token);
    const create = () => client.post('/api/v1/competitions/', sent);
    const sent = competition();
    expectUncertain(await losing('COMMIT', create));
    const { status, body } = await create();
    const [{ id }] = body.detail.mathing_competitions;
    expect({ status, error: body.detail.error }).toEqual({
      status: 409,
      error: expect.stringContaining(`This account created ${id} a moment ago`),
    });
  });

  test('an upload, and a PATCH', async () => {
    const { client, losing, path, id, current, patch } = await highJump();
    const events = [{ event_id: 'F1', event_code: 'HJ', units: [{ round: 1, heat: 1, heat_name: 'Pool' }] }];
    const upload = () => client.post(`/api/v1/competitions/${id}`, { events });
    expectUncertain(await losing('COMMIT', upload));
    const { revision } = await current();
    expect((await upload()).status).toBe(200);
    expect(await current()).toMatchObject({ revision, heat_name: 'Pool' });
    expect((await patch({ wind_assistance: '1.0' })).status).toBe(200);
    const save = () => client.patch(path, { results_status: 'official' });
    // Twice: the first finds that another replica saves the unit, too, the second that it does no more.
    await client.patch(path, { heat_name: 'Pool A' });
    await client.patch(path, { heat_name: 'Pool B' });
    expectUncertain(await losing('SELECT 1', save));
    const after = await current();
    expect(after).toMatchObject({ results_status: 'official' });
    expect((await save()).status).toBe(200);
    expect((await current()).revision).toBe(after.revision);
  });

  test('a failure at a height, sent again as it was', async () => {
    const { lose, send, failure, marks } = await highJump();
    expectUncertain(await lose(failure));
    expect(await marks()).toEqual(['x']);
    const again = await send(failure);
    expect(again.status).toBe(200);
    expect(again.body.attempt).toMatchObject(failure);
    expect(await marks()).toEqual(['x']);
    const second = await send(failure);
    expect(second.status).toBe(201);
    expect(await marks()).toEqual(['x', 'x']);
  });

  test('a failure at a height, sent to another replica with the key of the answer, as often as one likes', async () => {
    const { lose, elsewhere, failure, marks } = await highJump();
    const lost = await lose(failure);
    expect(lost.body.detail).toContain(`Idempotency-Key: ${keyIn(lost)['idempotency-key']}`);
    for (const time of [1, 2]) {
      const again = await elsewhere(failure, keyIn(lost));
      expect([time, again.status]).toEqual([time, 200]);
    }
    expect(await marks()).toEqual(['x']);
    const other = await elsewhere({ ...failure, result: 'o' }, keyIn(lost));
    expect(other.status).toBe(422);
    expect(other.body.detail[0].msg).toBe('This Idempotency-Key was used for another request');
    expect((await elsewhere(failure)).status).toBe(201);
  });

  test('a failure at a height with a key of the client’s own, which the answer names', async () => {
    const { losing, send, failure, marks } = await highJump();
    const key = { 'idempotency-key': 'tablet-2-0047' };
    const lost = await losing('COMMIT', () => send(failure, key));
    expectUncertain(lost);
    expect(keyIn(lost)).toEqual(key);
    expect((await send(failure, keyIn(lost))).status).toBe(200);
    expect(await marks()).toEqual(['x']);
  });
});

describe('a second failure at the same height is recorded after an answer that was lost', () => {
  test('when the account has read the unit in between', async () => {
    const { lose, send, client, path, failure, marks } = await highJump();
    await lose(failure);
    await client.get(path);
    expect((await send(failure)).status).toBe(201);
    expect(await marks()).toEqual(['x', 'x']);
  });

  test('when somebody else has jumped in between', async () => {
    const { lose, send, failure, marks } = await highJump();
    await lose(failure);
    await send({ bib: '2', height: '1.75', result: 'x' });
    expect((await send(failure)).status).toBe(201);
    expect(await marks()).toEqual(['x', 'x']);
  });

  test('when a minute has passed, when another account sends it, and when it says that it is the second', async () => {
    const { lose, send, client, failure, marks, path } = await highJump();
    await lose(failure);
    api.clock.advance(60_000);
    expect((await send(failure)).status).toBe(201);
    api.clock.advance(-60_000);
    expect(await marks()).toEqual(['x', 'x']);
    const next = { ...failure, bib: '2', height: '1.75' };
    await send({ ...next, height: '1.72', result: 'o' });
    await lose(next);
    const colleague = await api.as('ADMIN_GBR');
    const theirs = await client.post(`${path}/attempts`, next, {
      authorization: `Bearer ${colleague.token}`,
    });
    expect(theirs.status).toBe(201);
    expect((await send({ ...next, attempt: 3 })).status).toBe(201);
    expect(await marks('2')).toEqual(['o', 'o', 'x', 'x', 'x']);
  });
});

test('an attempt that never reached the database is recorded by its repeat, and nothing was changed until then', async () => {
  const { proxy, send, failure, marks } = await highJump();
  proxy.refuse(true);
  proxy.cut();
  const refused = await send(failure);
  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toBe('5');
  expect(await marks()).toEqual([]);
  proxy.refuse(false);
  expect((await send(failure)).status).toBe(201);
  expect(await marks()).toEqual(['x']);
});
