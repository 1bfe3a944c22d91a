import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { fieldUnit } from '../helpers/field-unit.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp({ RATE_LIMIT_WRITE: '0' });
const admin = await api.as('ADMIN_GBR', 'ADMIN_BRA');
afterAll(api.close);

type Fields = Record<string, unknown>;
const jump = (bib: string, round: number, result: string, wind?: unknown) => ({ bib, round, result, wind });
const upload = (code: string, results: Fields[], trials: Fields[]) => ({
  events: [{ event_id: 'F1', event_code: code, units: [{ round: 1, heat: 1, results, trials }] }],
});

describe('the wind beside a performance', () => {
  test('is that of the best attempt, and follows it', async () => {
    const { attempt, current } = await fieldUnit(admin);
    const shown = async () => {
      const { results } = await current();
      return [results[0].performance, results[0].wind];
    };
    await attempt(jump('1', 1, 'x', '+3.0'));
    expect(await shown()).toEqual([undefined, undefined]);
    await attempt(jump('1', 2, '6.80', '+1,2'));
    expect(await shown()).toEqual(['6.80', '+1.2']);
    await attempt(jump('1', 3, '6.70', -0.3));
    expect(await shown()).toEqual(['6.80', '+1.2']);
    await attempt(jump('1', 4, '6.95', -0.3));
    expect(await shown()).toEqual(['6.95', -0.3]);
    await attempt(jump('1', 4, 'x', -0.3));
    expect(await shown()).toEqual(['6.80', '+1.2']);
  });

  test.for<[string, string, Fields, Fields[], unknown]>([
    [
      'of a triple jump, whatever the spelling',
      'tj',
      { performance: '14,20' },
      [jump('1', 1, '14.2', '+0.1')],
      '+0.1',
    ],
    [
      'of the first of two equal jumps that has one',
      'LJ',
      { performance: '6.80' },
      [jump('1', 1, '6.80'), jump('1', 2, '6.80', '0.0'), jump('1', 3, '6.80', '+2.1')],
      '0.0',
    ],
    [
      'as it was sent with the result',
      'LJ',
      { performance: '6.80', wind: '+0.9' },
      [jump('1', 1, '6.80', '+1.2')],
      '+0.9',
    ],
    ['none of the gauge', 'LJ', { performance: '6.80' }, [jump('1', 1, '6.80', 'NWI')], 'NWI'],
    [
      'not of another mark than the best',
      'LJ',
      { performance: '6.80' },
      [jump('1', 1, '6.80', '+1.2'), jump('1', 2, '6.90', '+1.3')],
      undefined,
    ],
    ['not of who has no mark', 'LJ', { performance: 'NM' }, [jump('1', 1, 'x', '+1.2')], undefined],
    ['not in the shot', 'SP', { performance: '6.80' }, [jump('1', 1, '6.80', '+1.2')], undefined],
    ['not in standing jumps', 'SLJ', { performance: '2.80' }, [jump('1', 1, '2.80', '+1.2')], undefined],
    ['as it was sent in a race', '100', { performance: '10.50', wind: 1.1 }, [], 1.1],
  ])('%s', async ([, code, result, trials, wind]) => {
    const { store, unit } = await uploadsInto(admin);
    await store(upload(code, [{ bib: '1', ...result }], trials));
    expect((await unit('F1')).results[0].wind).toBe(wind);
  });

  test('that was sent stays with its performance, and goes with it', async () => {
    const { attempt, patch, current } = await fieldUnit(admin, { bibs: ['1', '2'] });
    await attempt(jump('1', 1, '6.80', '+1.2'));
    await patch({ results: [{ bib: '1', place: 1, performance: '6.80', wind: '+0.9' }] });
    const wind = async () => (await current()).results[0].wind;
    expect(await wind()).toBe('+0.9');
    await attempt(jump('1', 2, '6.70', '+0.2'));
    expect(await wind()).toBe('+0.9');
    await attempt(jump('1', 3, '6.90', '+0.3'));
    expect(await wind()).toBe('+0.3');
  });

  test('sent back as it was shown changes nothing, and goes on to follow', async () => {
    const { attempt, patch, store, current } = await fieldUnit(admin);
    await attempt(jump('1', 1, '6.80', '+1.2'));
    const before = await current();
    expect(before.results[0].wind).toBe('+1.2');
    const pushed = outboxReader(api.db);
    await pushed();
    await patch({ results: before.results });
    await store({ events: [{ event_id: 'F1', units: [{ round: 1, heat: 1, results: before.results }] }] });
    expect(await current()).toEqual(before);
    expect(await pushed()).toEqual([]);
    await attempt(jump('1', 2, '6.90', '+0.3'));
    expect((await current()).results[0]).toMatchObject({ performance: '6.90', wind: '+0.3' });
  });

  test('is a number in the older naming, of the unit and of the athlete, like that of each attempt', async () => {
    const { store, page } = await uploadsInto(admin);
    const trials = [jump('1', 1, '6.80', '+1.2')];
    await store({
      competitors: [{ competitor_id: '1' }],
      ...upload('LJ', [{ bib: '1', performance: '6.80' }], trials),
    });
    const older = async (path: string) => (await api.get(`${page}/${path}json/?case=camel`)).body;
    expect((await older('event/F1/1/1/')).results).toMatchObject([{ performance: '6.80', wind: 1.2 }]);
    expect((await older('')).events[0].units[0].results).toMatchObject([{ wind: 1.2 }]);
    expect((await older('competitor/1/')).results).toMatchObject([{ performance: '6.80', wind: 1.2 }]);
  });

  test.for<[string, string, Fields, Fields]>([
    ['an object', 'results', { wind: {} }, {}],
    ['a long text', 'trials', {}, { wind: 'x'.repeat(21) }],
  ])('is a 422 with its path as %s', async ([, list, result, trial]) => {
    const { upload: send } = await uploadsInto(admin);
    const sent = upload('LJ', [{ bib: '1', ...result }], [{ bib: '1', round: 1, result: 'x', ...trial }]);
    const { status, body } = await send(sent);
    expect(status).toBe(422);
    const loc = ['body', 'events', 0, 'units', 0, list, 0, 'wind'];
    expect(body.detail).toEqual([expect.objectContaining({ loc })]);
  });
});

const FOLDER = process.env['COMPETITION_DATA_DIR'];
const why = FOLDER ? '' : ' (skipped: COMPETITION_DATA_DIR is not set)';
type Unit = { round: number; heat: number; results: (Fields & { bib: string })[]; trials?: Fields[] };
type Event = { event_id: string; event_code: string; units: Unit[] };

test.skipIf(!FOLDER)(
  `at a real meeting nothing else is shown of a result that was not sent${why}`,
  async () => {
    const meeting = JSON.parse(readFileSync(join(FOLDER!, 'rio2016_upload.json'), 'utf8')) as {
      events: Event[];
    };
    const { status, body } = await admin.post('/api/v1/competitions/', meeting);
    expect(status).toBe(201);
    const { events } = (await api.get(`/x/${body.year}/${body.country_id}/${body.slug}/json/`)).body;
    let winds = 0;
    for (const { event_id, event_code, units } of meeting.events) {
      const shown = (events as Event[]).find((event) => event.event_id === event_id)!;
      for (const { round, heat, results } of units) {
        const unit = shown.units.find((one) => one.round === round && one.heat === heat)!;
        const plain = unit.results.map((result) => {
          const { athlete_name: _name, team_name: _team, runner_names: _runners, wind, ...rest } = result;
          winds += wind === undefined ? 0 : 1;
          expect(wind === undefined || ['LJ', 'TJ'].includes(event_code)).toBe(true);
          return rest;
        });
        expect(plain).toEqual(results);
      }
    }
    expect(winds).toBeGreaterThan(100);
  },
);
