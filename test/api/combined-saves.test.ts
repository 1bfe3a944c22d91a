import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { uploadsInto } from '../helpers/uploads.ts';
import {
  AFTER_SHOT,
  listed,
  triathlon,
  unitOf,
  combinedMeeting,
  type Fields,
  type Result,
} from '../helpers/triathlon.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const meeting = (sent?: Fields) => combinedMeeting(admin, sent);

const pushedUnits = async (pushed: ReturnType<typeof outboxReader>) =>
  (await pushed()).map(({ event, data }) => [event, data.event_id, data.results?.[0]?.points ?? null]);

describe('what changes a part saves and pushes the standings with it', () => {
  test('an upload', async () => {
    const { store, unit } = await meeting();
    const pushed = outboxReader(api.db);
    await pushed();
    const { revision } = await unit('F2');
    await store({ events: [{ event_id: 'F2', units: [unitOf([{ bib: '1', performance: '6.50' }])] }] });
    expect(await pushedUnits(pushed)).toEqual([
      ['unit', 'F2', null],
      ['results_arrived', 'F2', null],
      ['unit', 'M01', 915 + 1007],
    ]);
    expect((await unit('M01')).revision).toBeGreaterThan(revision);
  });

  test('a save of one unit, and one that changes nothing pushes nothing', async () => {
    const { patch, unit } = await meeting();
    const pushed = outboxReader(api.db);
    await pushed();
    const results = [{ bib: '1', performance: '25.00' }];
    const saved = await patch('T1', { results });
    expect(await pushedUnits(pushed)).toEqual([
      ['unit', 'T1', null],
      ['results_arrived', 'T1', null],
      ['unit', 'M01', 915 + 887],
    ]);
    expect((await unit('M01')).revision).toBeGreaterThan(saved.body.revision);
    await patch('T1', { results });
    expect(await pushed()).toEqual([]);
  });

  test.for([{}, { 'idempotency-key': 'once' }])(
    'an attempt, recorded, corrected and taken back %j',
    async (headers) => {
      const { attempt, at, standings } = await meeting();
      const first = async () => (await standings())[0]![2];
      const { body, status } = await attempt({ bib: '1', round: 1, result: '6.50' }, headers);
      expect(status).toBe(201);
      expect(await first()).toBe(915 + 1007);
      await attempt({ bib: '1', round: 1, result: '6.40' });
      expect(await first()).toBe(915 + 975);
      await admin.delete(`${at('F2')}/attempts/${body.attempt.attempt_id}`);
      expect(await first()).toBe(915);
    },
  );

  test('the deletion of a part, of its event, and of a person', async () => {
    const { at, path, standings, unit } = await meeting(triathlon());
    await admin.delete(`${path}/competitors/1`);
    expect((await unit('M01')).results[0]).not.toHaveProperty('athlete_name');
    await admin.delete(at('F1'));
    expect(await standings()).toEqual(['1', '2', '3'].map((bib) => [bib, null, null, null]));
    await admin.delete(`${path}/events/F2`);
    expect(await standings()).toEqual([]);
  });

  test('a part that becomes one of another combined event', async () => {
    const { store, standings, unit } = await meeting();
    await store({
      events: [
        { event_id: 'M02', event_code: 'PEN' },
        { event_id: 'F1', parent: 'M02' },
      ],
    });
    expect((await standings())[0]).toEqual(['1', null, null, null]);
    expect((await unit('M02')).results).toMatchObject([
      { bib: '1', points: 915 },
      { bib: '2', points: 794 },
    ]);
  });

  test('the deletion of the standings leaves what the parts come to', async () => {
    const { at, standings } = await meeting(
      triathlon({ combined: { units: [unitOf([{ bib: '1', points: 5 }])] } }),
    );
    expect(await standings()).toEqual([['1', 1, 5, '5']]);
    expect((await admin.delete(at('M01'))).status).toBe(204);
    expect(await standings()).toEqual(AFTER_SHOT);
  });

  test('but the same upload again changes nothing', async () => {
    const sent = triathlon({ combined: { results: listed } });
    const { store } = await meeting(sent);
    const before = await snapshot(api.db);
    await store(sent);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('and a save of the standings needs the revision that they have by then', async () => {
    const { patch, unit } = await meeting();
    const { revision } = await unit('M01');
    await patch('T1', { results: [{ bib: '1', performance: '25.00' }] });
    const stale = await patch('M01', { status: 'finished' }, { 'if-match': `"${revision}"` });
    expect(stale.status).toBe(412);
  });

  test('simultaneous saves of all parts and of the standings count all', async () => {
    const { patch, standings } = await meeting();
    const saves = Array.from({ length: 6 }, (_, nth) => [
      patch('F1', { results: [{ bib: '1', performance: `15.8${nth}` }] }),
      patch('T1', { results: [{ bib: '1', performance: `25.0${nth}` }] }),
      patch('M01', { day: nth }),
    ]).flat();
    expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(saves.map(() => 200));
    await patch('F1', { results: [{ bib: '1', performance: '15.80' }] });
    await patch('T1', { results: [{ bib: '1', performance: '25.00' }] });
    expect((await standings())[0]).toEqual(['1', 1, 915 + 887, '1802']);
  });
});

const FOLDER = process.env['COMPETITION_DATA_DIR'];
const skipped = FOLDER ? '' : ' (skipped: COMPETITION_DATA_DIR is not set)';

type Upload = Fields & { events: (Fields & { event_id: string; units: { results: Result[] }[] })[] };
const read = async (name: string) => JSON.parse(await readFile(join(FOLDER!, name), 'utf8')) as Upload;

const pick = ({ bib, place, points, performance }: Result) => ({ bib, place, points, performance });

describe.skipIf(!FOLDER)(`real combined events${skipped}`, () => {
  test('come to the points and places that were published', async () => {
    const { events, competitors, teams } = await read('rio2016_upload.json');
    const combined = events.filter(({ event_id, parent }) => /^M0[12]$/.test(event_id) || parent);
    const published = combined.filter(({ parent }) => !parent);
    const bare = published.map(({ units, ...event }) => ({
      ...event,
      units: [],
      results: units[0]!.results.map(({ bib, performance }) => ({
        bib,
        ...(performance === 'DNF' && { performance }),
      })),
    }));
    const parts = combined.filter(({ parent }) => parent);
    const { unit, store } = await uploadsInto(admin);
    await store({ competitors, teams, events: [...parts, ...bare] });
    for (const { event_id, units } of published) {
      const shown = await unit(event_id);
      expect(shown.results.map(pick)).toEqual(units[0]!.results.map(pick));
      expect(shown.results_status).toBe('provisional');
    }
  });

  test('keep their answers when the results were sent', async () => {
    const sent = await read('rio2016_upload.json');
    const { unit, store } = await uploadsInto(admin);
    await store({ competitors: sent['competitors'], teams: sent['teams'], events: sent.events });
    for (const event_id of ['M01', 'M02']) {
      const { results } = sent.events.find((event) => event.event_id === event_id)!.units[0]!;
      const shown = ((await unit(event_id)).results as Result[]).map(
        ({ athlete_name: _name, team_name: _team, ...result }) => result,
      );
      expect(shown).toEqual(results);
    }
  });

  test('a triathlon that was sent as a list of bibs and three events', async () => {
    const { competitors, teams, events } = await read('full_competition_upload.json');
    const { unit, store } = await uploadsInto(admin);
    await store({ competitors, teams, events });
    expect((await unit('M01')).results).toMatchObject([
      { bib: '1', athlete_name: 'Alan Ashworth', place: 1, points: 2081 },
      { bib: '2', place: 3 },
      { bib: '3', place: 2 },
    ]);
  });
});
