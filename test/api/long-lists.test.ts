import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import type { Actor } from '../../src/accounts/permissions.ts';
import { createLister, PAGE_RECORDS } from '../../src/competitions/list.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { responseTo } from '../helpers/http-client.ts';

const COPIES = 2 * PAGE_RECORDS + 200;
const LIST = '/api/v1/competitions';

const api = await startTestApp();
afterAll(api.close);
const admin = await api.as('ADMIN_GBR');
await admin.post(LIST, competition({ country_id: 'GBR', basic_description: 'so '.repeat(1000) }));
await api.db.execute(sql`insert into competitions
  select (jsonb_populate_record(competitions, jsonb_build_object('id', gen_random_uuid(),
    'slug', 'copy-' || n, 'full_name', 'Copy ' || n % 700, 'name_key', 'copy ' || n,
    'record_text', replace(record_text, id::text, 'copy-' || n)))).*
  from competitions, generate_series(1, ${COPIES}) n`);
await api.app.listen({ port: 0, host: '127.0.0.1' });

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);

/** Asks for the whole list and reads none of it. */
async function slowReader(): Promise<IncomingMessage> {
  const { port } = api.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${admin.token}` };
  const asked = request({ port, host: '127.0.0.1', path: LIST, headers }).end();
  return responseTo(asked);
}

test('a long list is whole and in order, whether it is asked for at once or in parts', async () => {
  const whole = await admin.get(LIST);
  expect(whole).toMatchObject({ status: 200, headers: { 'x-total-count': String(COPIES + 1) } });
  const parts: { id: string }[] = [];
  for (let offset = 0; offset <= COPIES; offset += 700)
    parts.push(...(await admin.get(`${LIST}?limit=700&offset=${offset}`)).body);
  expect(idsOf(whole.body)).toEqual(idsOf(parts));
  expect(new Set(idsOf(whole.body)).size).toBe(COPIES + 1);
  const most = await admin.get(`${LIST}?limit=${PAGE_RECORDS + 100}&offset=50`);
  expect(most.headers['x-total-count']).toBe(String(COPIES + 1));
  expect(idsOf(most.body)).toEqual(idsOf(parts).slice(50, PAGE_RECORDS + 150));
  expect((await admin.get(`${LIST}?offset=${COPIES + 5}`)).body).toEqual([]);
});

test.each([1, 12])(
  '%d readers who take nothing hold no connection, and nobody waits for them',
  async (many) => {
    const readers = await Promise.all(Array.from({ length: many }, slowReader));
    const { $client } = api.deps.reads;
    await expect.poll(() => $client.totalCount - $client.idleCount).toBe(0);
    expect((await admin.get(LIST)).body).toHaveLength(COPIES + 1);
    expect((await admin.get(`${LIST}?country=GBR&limit=1`)).body).toHaveLength(1);
    for (const reader of readers) reader.destroy();
  },
);

test('a list goes on when a competition in it is deleted meanwhile, without that one', async () => {
  const reader: Actor = { id: admin.id, email: admin.email, groups: [] };
  const list = await createLister(api.deps.reads)(reader, {});
  const pieces = (list.json as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let text = String((await pieces.next()).value);
  const [last] = (await admin.get(`${LIST}?limit=1&offset=${COPIES}`)).body;
  await api.db.execute(sql`delete from competitions where record_text like ${`%"${last.id}"%`}`);
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) text += String(next.value);
  expect(list.total).toBe(COPIES + 1);
  expect(idsOf(JSON.parse(text) as { id: string }[])).toHaveLength(COPIES);
});
