import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { fieldUnit } from '../helpers/field-unit.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const implausible = (...loc: (string | number)[]) => ({
  loc: ['body', ...loc],
  msg: expect.stringContaining('is not plausible'),
  type: 'implausible',
});
const asked = (question: string, ...loc: (string | number)[]) => ({
  loc: ['body', ...loc],
  msg: expect.stringContaining(question),
  type: 'value_error',
});

describe('an attempt', () => {
  test('that is hardly possible is recorded and named in warnings, which are stored and pushed nowhere', async () => {
    const { attempt, current } = await fieldUnit(admin);
    const pushed = outboxReader(api.db);
    const taken = await attempt({ bib: '1', round: 1, result: '61.2' });
    expect(taken.status).toBe(201);
    expect(taken.body.warnings).toEqual([implausible('result')]);
    expect(taken.body.unit).toEqual(await current());
    expect(JSON.stringify([await current(), await pushed()])).not.toContain('warnings');
    const again = await attempt({ bib: '1', round: 1, result: '61.20' });
    expect([again.status, again.body.warnings]).toEqual([200, [implausible('result')]]);
  });

  test('of an ordinary mark has no warnings', async () => {
    const { attempt } = await fieldUnit(admin);
    expect((await attempt({ bib: '1', round: 1, result: '6.12' })).body.warnings).toEqual([]);
  });

  test('at zero, or at an implausible height, is recorded', async () => {
    const long = await fieldUnit(admin);
    const zero = await long.attempt({ bib: '1', round: 1, result: '0' });
    expect([zero.status, zero.body.warnings]).toEqual([201, [implausible('result')]]);
    const high = await fieldUnit(admin, { code: 'HJ' });
    const bar = await high.attempt({ bib: '1', height: '16.0', result: 'o' });
    expect([bar.status, bar.body.warnings]).toEqual([201, [implausible('height')]]);
  });

  test('repeated with its key has its warnings again', async () => {
    const { attempt } = await fieldUnit(admin);
    const key = { 'idempotency-key': 'one' };
    const sent = { bib: '1', round: 1, result: '61.2' };
    const first = await attempt(sent, key);
    const again = await attempt(sent, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
  });

  test('without its decimal point is asked back, and changes nothing', async () => {
    const long = await fieldUnit(admin);
    const high = await fieldUnit(admin, { code: 'HJ' });
    const before = await snapshot(api.db);
    const jump = await long.attempt({ bib: '1', round: 1, result: '612' });
    expect([jump.status, jump.body.detail]).toEqual([422, [asked('is 6.12 meant?', 'result')]]);
    const bar = await high.attempt({ bib: '1', height: 160, result: 'o' });
    expect([bar.status, bar.body.detail]).toEqual([422, [asked('is 1.60 meant?', 'height')]]);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('of whole metres is a mark where it can be one', async () => {
    const javelin = await fieldUnit(admin, { code: 'JT' });
    const answer = await javelin.attempt({ bib: '1', round: 1, result: '61' });
    expect(answer).toMatchObject({ status: 201, body: { warnings: [], attempt: { result: '61.00' } } });
  });
});

describe('a save of one unit', () => {
  test('names implausible marks beside the record, and only then', async () => {
    const { patch, current } = await fieldUnit(admin);
    const pushed = outboxReader(api.db);
    const trials = [
      { bib: '1', round: 1, result: '6.12' },
      { bib: '1', round: 2, result: '61.2' },
    ];
    const saved = await patch({ trials, results: [{ bib: '1', performance: '99.99' }] });
    const { warnings, ...unit } = saved.body;
    expect(warnings).toEqual([implausible('results', 0, 'performance'), implausible('trials', 1, 'result')]);
    expect(unit).toEqual(await current());
    expect(JSON.stringify([unit, await pushed()])).not.toContain('warnings');
    const quiet = await patch({ trials: trials.slice(0, 1), results: [{ bib: '1', performance: '6.12' }] });
    expect(quiet.body).toEqual(await current());
  });

  test('that sends an answer back does not store its warnings', async () => {
    const { patch, current } = await fieldUnit(admin);
    const { body } = await patch({ results: [{ bib: '1', performance: '61.2' }] });
    expect((await patch({ ...body, status: 'finished' })).status).toBe(200);
    expect(await current()).not.toHaveProperty('warnings');
  });

  test('with marks that miss their point is refused with every one of them, before a stale revision is', async () => {
    const { patch } = await fieldUnit(admin, { code: 'PV' });
    const before = await snapshot(api.db);
    const sent = {
      heights: ['3.55', '365'],
      results: [{ bib: '1', performance: '365' }],
      trials: [{ bib: '1', height: '365', result: 'o' }],
    };
    const { status, body } = await patch(sent, { 'if-match': '"1"' });
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      asked('is 3.65 meant?', 'results', 0, 'performance'),
      asked('is 3.65 meant?', 'trials', 0, 'height'),
      asked('is 3.65 meant?', 'heights', 1),
    ]);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('of a race takes nine minutes for 100 m, with a warning', async () => {
    const { patch } = await fieldUnit(admin, { code: '100' });
    const { status, body } = await patch({ results: [{ bib: '1', performance: '9:00.00' }] });
    expect([status, body.warnings]).toEqual([200, [implausible('results', 0, 'performance')]]);
  });
});

describe('an upload', () => {
  const units = [{ round: 1, heat: 1, results: [{ bib: '1', performance: 612 }] }];
  const question = asked('is 6.12 meant?', 'events', 0, 'units', 0, 'results', 0, 'performance');

  test('with marks that miss their point is refused whole, together with its other faults', async () => {
    const { upload } = await uploadsInto(admin);
    const before = await snapshot(api.db);
    const sent = { teams: [{}], events: [{ event_id: 'F1', event_code: 'LJ', units }] };
    const { status, body } = await upload(sent);
    expect(status).toBe(422);
    expect(body.detail).toContainEqual(question);
    expect(body.detail).toHaveLength(2);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('that leaves the code of a stored event out is judged by that', async () => {
    const { upload } = await fieldUnit(admin);
    const before = await snapshot(api.db);
    const { status, body } = await upload({ events: [{ event_id: 'F1', units }] });
    expect([status, body.detail]).toEqual([422, [question]]);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('of implausible marks with a point is stored', async () => {
    const { store, current } = await fieldUnit(admin);
    await store({
      events: [
        { event_id: 'F1', units: [{ round: 1, heat: 1, results: [{ bib: '1', performance: '61.2' }] }] },
      ],
    });
    expect((await current()).results).toMatchObject([{ bib: '1', performance: '61.2' }]);
  });
});
