import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { WaReport, WaResults } from '../../src/exchange/wa-model.ts';
import { CompetitionDocument } from '../../src/site/documents/whole-competition.ts';
import { startTestApp } from '../helpers/app.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { byLength } from '../helpers/length.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp({ RATE_LIMIT_WRITE: '0' });
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const sometimes = (shape: Record<string, fc.Arbitrary<unknown>>, ...requiredKeys: string[]) =>
  fc.record(shape, { requiredKeys });
const unique = (item: fc.Arbitrary<Record<string, unknown>>, ...keys: string[]) =>
  fc.uniqueArray(item, { maxLength: 3, selector: (one) => keys.map((name) => one[name]).join() });
const text = fc.oneof(
  fc.string({ unit: 'grapheme-composite', maxLength: 10 }),
  fc.constant(null),
  fc.constant(''),
);
const kept = fc.jsonValue({ maxDepth: 2 }).filter((odd) => !JSON.stringify(odd).includes('__proto__'));
const id = fc.constantFrom('1', '2', 'TA', 'ü b');

const result = sometimes(
  {
    bib: id,
    place: fc.constantFrom(1, 2, '3', '1=', 'DQ', null, ''),
    performance: text,
    points: fc.constantFrom(0, 9, 4.5, '4.50'),
    odd: kept,
    team_name: text,
    runner_names: fc.option(fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 })),
  },
  'bib',
);
const trial = sometimes(
  {
    bib: id,
    round: fc.constantFrom(0, 1, 2, null),
    height: fc.constantFrom('1.80', 1.85, ''),
    result: fc.constantFrom('o', 'x', '-', 6.1, null),
    jump_off: fc.constantFrom(1, 2),
    wind: fc.constantFrom('+0.4', -1.2, 'NWI', '', null),
  },
  'bib',
);
const unit = sometimes(
  {
    round: fc.constantFrom(1, 2, '1'),
    heat: fc.constantFrom(1, 2),
    status: text,
    results_status: fc.constantFrom(
      'empty',
      'seeded',
      'in_progress',
      'provisional',
      'official_results',
      '',
      null,
    ),
    heat_name: text,
    scheduled_start_time: text,
    wind_assistance: fc.constantFrom(-0.4, '+1.2', '', null),
    heights: fc.constantFrom([], ['1.80', 1.85], null),
    results: fc.array(result, { maxLength: 3 }),
    trials: fc.array(trial, { maxLength: 4 }),
    odd: kept,
  },
  'round',
  'heat',
);
const upload = sometimes({
  city: text,
  odd: kept,
  competitors: unique(
    sometimes(
      {
        competitor_id: id,
        first_name: text,
        last_name: text,
        team_id: id,
        date_of_birth: fc.constantFrom('2000-02-29', ''),
        odd: kept,
      },
      'competitor_id',
    ),
    'competitor_id',
  ),
  teams: unique(sometimes({ team_id: id, team_name: text, odd: kept }, 'team_id'), 'team_id'),
  relay_teams: unique(
    sometimes(
      { event_id: fc.constant('1'), relay_team_id: id, name: text, runners: fc.array(id) },
      'event_id',
      'relay_team_id',
    ),
    'relay_team_id',
  ),
  events: unique(
    sometimes(
      {
        event_id: id,
        event_code: fc.constantFrom('HJ', 'pv', 'LJ', '100', '4x100', '', null),
        name: text,
        rounds: fc.constantFrom('2,1', '1', '', null, 2),
        parent: id,
        units: unique(unit, 'round', 'heat').filter(
          (units) =>
            new Set(units.map((one) => `${String(one['round'])}/${String(one['heat'])}`)).size ===
            units.length,
        ),
        odd: kept,
      },
      'event_id',
    ),
    'event_id',
  ),
});

test('after any uploads the documents hold, what was pushed last is what is read, and sending it again writes nothing', async () => {
  const pushed = outboxReader(api.db);
  await fc.assert(
    fc.asyncProperty(fc.array(upload, { minLength: 1, maxLength: 3 }), async (uploads) => {
      const { store, page, path } = await uploadsInto(admin, { push: true });
      const last = new Map<string, string>();
      for (const sent of uploads) {
        await store(sent);
        for (const { event, channel, text } of await pushed()) if (event === 'unit') last.set(channel, text);
      }
      const { text: whole, body } = await api.get(`${page}/json/`);
      const units = CompetitionDocument.parse(body).events.flatMap((event) => event.units);
      expect(units.map(({ channel }) => channel).toSorted()).toEqual([...last.keys()].toSorted());
      for (const pushedText of last.values()) expect(whole).toContain(pushedText);
      WaResults.parse((await admin.get(`${path}/results.wa.json`)).body);
      WaReport.parse((await admin.get(`${path}/results.wa.json?report=true`)).body);
      const before = await snapshot(api.db);
      await store(uploads.at(-1));
      expect(await snapshot(api.db)).toEqual(before);
    }),
    { numRuns: byLength(20, 100) },
  );
}, 120_000);
