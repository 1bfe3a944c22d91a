// Numbers of events, by which photo-finish programs know them.
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { eventNumbers } from '../../src/competitions/event-numbers.ts';
import { numberEvents } from '../../src/competitions/number-events.ts';
import { events } from '../../src/db/schema.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

type Event = { event_id: string; lynx_event_no?: number };
const OF = '/api/v1/competitions';

async function meeting(...sent: object[]) {
  const { body } = await admin.post(`${OF}/`, competition({ events: sent }));
  const numbers = async () => {
    const read = await admin.get(`${OF}/${body.id}?include=events`);
    const list = read.body.events as Event[];
    return Object.fromEntries(list.map(({ event_id, lynx_event_no }) => [event_id, lynx_event_no]));
  };
  return { id: body.id as string, slug: body.slug as string, path: `${OF}/${body.id}`, numbers };
}

describe('the number of an event', () => {
  test('is given in the order in which events are made, kept, and shown to all', async () => {
    const { path, slug, numbers } = await meeting({ event_id: 'T9', event_code: '100' }, { event_id: 'T2' });
    expect(await numbers()).toEqual({ T9: 1, T2: 2 });
    await admin.post(path, {
      events: [{ event_id: 'T1' }, { event_id: 'T2', name: '200 m', lynx_event_no: null }],
    });
    expect(await numbers()).toEqual({ T9: 1, T2: 2, T1: 3 });
    const page = await api.get(`/x/2026/GBR/${slug}/json/`);
    expect(page.body.events.map((event: Event) => event.lynx_event_no)).toEqual([1, 2, 3]);
  });

  test('is what was sent, and others get what is left', async () => {
    const { path, numbers } = await meeting(
      { event_id: 'A' },
      { event_id: 'B', lynx_event_no: '1' },
      { event_id: 'C' },
    );
    expect(await numbers()).toEqual({ A: 2, B: 1, C: 3 });
    const swap = [
      { event_id: 'A', lynx_event_no: 1 },
      { event_id: 'B', lynx_event_no: 2 },
    ];
    expect((await admin.post(path, { events: swap })).status).toBe(200);
    expect(await numbers()).toEqual({ A: 1, B: 2, C: 3 });
  });

  test('of another event is refused with its path, and nothing changes', async () => {
    const { path, numbers } = await meeting({ event_id: 'A' }, { event_id: 'B' });
    const taken = await admin.post(path, {
      city: 'Ayr',
      events: [{ event_id: 'C' }, { event_id: 'A', lynx_event_no: 2 }],
    });
    expect(taken.status).toBe(422);
    expect(taken.body.detail).toMatchObject([{ loc: ['body', 'events', 1, 'lynx_event_no'] }]);
    const twice = [
      { event_id: 'C', lynx_event_no: 9 },
      { event_id: 'D', lynx_event_no: '9' },
    ];
    const both = await admin.post(path, { events: twice });
    expect(both.body.detail).toMatchObject([{ loc: ['body', 'events', 1, 'lynx_event_no'] }]);
    for (const lynx_event_no of [0, 1000, 1.5, 'one', {}, { toString: 1 }])
      expect((await admin.post(path, { events: [{ event_id: 'A', lynx_event_no }] })).status).toBe(422);
    expect(await numbers()).toEqual({ A: 1, B: 2 });
  });

  test('is not there for events beyond the 999th', () => {
    const sent = Array.from({ length: 1002 }, (_, index) => ({ event_id: `E${index}` }));
    const { completed, issues } = eventNumbers([], sent);
    expect(issues).toEqual([]);
    expect(sent.map((event) => completed(event)['lynx_event_no']).slice(997)).toEqual([
      998,
      999,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('comes to events of an older version when it is needed first, and then stays', async () => {
    const { id, numbers, slug } = await meeting(
      { event_id: 'A' },
      { event_id: 'B' },
      { event_id: 'C', lynx_event_no: 1 },
    );
    const old = and(eq(events.competitionId, id), sql`event_id <> 'C'`);
    await api.db
      .update(events)
      .set({ record: sql`(record::jsonb - 'lynx_event_no')::json` })
      .where(old);
    expect(await numbers()).toEqual({ A: undefined, B: undefined, C: 1 });
    const before = await api.get(`/x/2026/GBR/${slug}/json/`);
    await Promise.all([numberEvents(api.deps, id), numberEvents(api.deps, id)]);
    expect(await numbers()).toEqual({ A: 2, B: 3, C: 1 });
    const after = await api.get(`/x/2026/GBR/${slug}/json/`);
    expect(after.body.revision).toBeGreaterThan(before.body.revision);
    await numberEvents(api.deps, id);
    expect((await api.get(`/x/2026/GBR/${slug}/json/`)).body.revision).toBe(after.body.revision);
  });
});
