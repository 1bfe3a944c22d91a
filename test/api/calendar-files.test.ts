// Calendars as telephones subscribe to them, read back by a reader of such files.
import { eq, sql } from 'drizzle-orm';
import ical from 'node-ical';
import { afterAll, describe, expect, test } from 'vitest';
import { deletedCompetitions } from '../../src/db/schema.ts';
import { type CalendarEntry, calendarPieces } from '../../src/exchange/calendar-ics.ts';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_NOR', 'ADMIN_SWE');
afterAll(api.close);

type Event = Record<string, unknown> & { uid: string; sequence?: string; start: Date; end: Date };
const eventsIn = (text: string): Event[] =>
  Object.values(ical.sync.parseICS(text)).filter((one) => one?.type === 'VEVENT') as unknown[] as Event[];
const eventOf = (text: string, id: string) => eventsIn(text).find(({ uid }) => uid.startsWith(id))!;
const read = async (path: string) => (await api.get(path)).text;

const NAME =
  'Sommerstevne på Bislett; høyde, lengde & stav \\ 2026 – med mange ord i navnet så linjen blir lang';
const FIELDS = {
  country_id: 'NOR',
  full_name: NAME,
  date: '2026-12-30',
  finish_date: '2026-12-31',
  city: 'Oslo',
  address: 'Bislettgata 1',
  latitude: 59.925,
  longitude: 10.7325,
  basic_description: 'First line\nsecond line',
  year: 2026,
};

test('a competition is an event of whole days, which ends on the day after its last', async () => {
  const { page, id } = await uploadsInto(admin, FIELDS);
  const { status, headers, text } = await api.get(`${page}/calendar.ics`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-type': 'text/calendar; charset=utf-8', etag: expect.any(String) });
  expect(eventOf(text, id)).toMatchObject({
    uid: `${id}@data.test`,
    summary: NAME,
    location: 'Bislettgata 1, Oslo',
    geo: { lat: 59.925, lon: 10.7325 },
    url: `http://data.test${page}/`,
    description: 'First line\nsecond line',
    status: 'CONFIRMED',
  });
  expect(text).toMatch(/DTSTART;VALUE=DATE:20261230\r\n/);
  expect(text).toMatch(/DTEND;VALUE=DATE:20270101\r\n/);
  expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT12H\r\n');
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect((await api.get(`${page}/calendar.ics`, { 'if-none-match': String(headers['etag']) })).status).toBe(
    304,
  );
});

test('a change raises the sequence and says when it was', async () => {
  const { page, id, store } = await uploadsInto(admin, { ...FIELDS, full_name: 'Changing' });
  const before = eventOf(await read(`${page}/calendar.ics`), id);
  api.clock.advance(60_000);
  await store({ city: 'Bergen' });
  const after = eventOf(await read(`${page}/calendar.ics`), id);
  expect(Number(after['sequence'])).toBeGreaterThan(Number(before['sequence']));
  expect(Number(after['lastmodified'])).toBe(Number(before['lastmodified']) + 60_000);
  expect(after).toMatchObject({ location: 'Bislettgata 1, Bergen' });
});

test('calendars of a year and of a country have their competitions, whatever else is called calendar', async () => {
  const here = await uploadsInto(admin, { country_id: 'NOR', date: '2027-05-01', slug: 'calendar' });
  const there = await uploadsInto(admin, { country_id: 'SWE', date: '2027-05-02' });
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- of this test alone
  const ids = async (path: string) =>
    eventsIn(await read(path))
      .map(({ uid }) => uid.replace('@data.test', ''))
      .toSorted();
  expect(await ids('/x/2027/calendar.ics')).toEqual([here.id, there.id].toSorted());
  expect(await ids('/x/2027/NOR/calendar.ics')).toEqual([here.id]);
  expect(await ids('/en/x/2027/NOR/calendar/calendar.ics')).toEqual([here.id]);
  expect(await ids('/x/2031/NOR/calendar.ics')).toEqual([]);
  expect((await api.get('/x/2027/nor/calendar.ics')).headers['location']).toBe('/x/2027/NOR/calendar.ics');
  expect((await api.get('/x/2027/ATLANTIS/calendar.ics')).status).toBe(404);
});

describe('a deleted competition', () => {
  test('stays as cancelled for 30 days, in every calendar that had it, and is nowhere else', async () => {
    const { page, id, path } = await uploadsInto(admin, { ...FIELDS, full_name: 'Rained off' });
    const calendars = ['/x/2026/calendar.ics', '/x/2026/NOR/calendar.ics', `${page}/calendar.ics`];
    const before = await Promise.all(calendars.map(read));
    expect((await admin.delete(path)).status).toBe(204);
    for (const [index, calendar] of calendars.entries()) {
      const gone = eventOf(await read(calendar), id);
      expect(gone).toMatchObject({
        status: 'CANCELLED',
        summary: 'Rained off',
        location: 'Bislettgata 1, Oslo',
      });
      expect(Number(gone['sequence'])).toBeGreaterThan(Number(eventOf(before[index]!, id)['sequence']));
      expect(gone['description']).toBeUndefined();
    }
    expect((await api.get(`${page}/json`)).status).toBe(404);
    expect(await read('/x/2026/json')).not.toContain(id);
    const old = { deletedAt: sql`now() - interval '31 days'` };
    await api.db.update(deletedCompetitions).set(old).where(eq(deletedCompetitions.id, id));
    expect(eventsIn(await read('/x/2026/NOR/calendar.ics')).map(({ uid }) => uid.slice(0, 36))).not.toContain(
      id,
    );
    expect((await api.get(`${page}/calendar.ics`)).status).toBe(404);
    const other = await uploadsInto(admin, { country_id: 'NOR' });
    await admin.delete(other.path);
    expect(await api.db.select().from(deletedCompetitions).where(eq(deletedCompetitions.id, id))).toEqual([]);
  });

  test('made again under its id is not cancelled any more', async () => {
    const { id, path } = await uploadsInto(admin, { country_id: 'SWE', date: '2028-06-01' });
    await admin.delete(path);
    await uploadsInto(admin, { country_id: 'SWE', date: '2028-06-01', id });
    expect(eventsIn(await read('/x/2028/calendar.ics'))).toMatchObject([{ status: 'CONFIRMED' }]);
  });
});

test('a thousand characters of any kind in a name are one line of text', () => {
  const name = `${'😀é,;\\'.repeat(200)}\r\nBEGIN:VALARM`;
  const entry: CalendarEntry = {
    id: 'a',
    name,
    firstDay: '2024-02-28',
    lastDay: '2024-02-28',
    location: '',
    place: null,
    url: null,
    description: '',
    revision: 2 ** 31 + 4,
    changedAt: new Date(0),
    cancelled: false,
  };
  const text = [...calendarPieces({ name: 'x', host: 'h' }, [entry])].join('');
  expect(eventsIn(text)).toMatchObject([{ summary: name.replace('\r\n', '\n'), sequence: '4' }]);
  expect(text).toContain('DTEND;VALUE=DATE:20240229');
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});
