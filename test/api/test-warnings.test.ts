import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { uploadWarnings } from '../../src/competitions/warnings.ts';
import { CompetitionCreate } from '../../src/competitions/schemas.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
const plain = await api.as();
afterAll(api.close);

type Warning = { loc: (string | number)[]; msg: string; type: string };
type Json = Record<string, unknown>;

async function warningsOf(body: unknown): Promise<Warning[]> {
  const answer = await plain.post('/api/v1/competitions/test', body);
  expect(answer.status).toBe(200);
  return answer.body.warnings;
}

const brief = (warnings: Warning[]) => warnings.map(({ loc, type }) => `${type} ${loc.join('.')}`);

const meeting = () =>
  competition({
    competitors: [
      {
        competitor_id: '1',
        first_name: 'Anna',
        last_name: 'Berg',
        date_of_birth: '2001-02-03',
        team_id: 'T',
        sort_bib: '00001',
        events_entered: [{ event_id: 'F1', event_code: 'LJ', qp: '6.00' }],
      },
    ],
    teams: [{ team_id: 'T', team_name: 'Town' }],
    relay_teams: [
      { relay_team_id: 'TA', event_id: 'R1', name: 'Town A', runners: ['1'], runner_names: ['A'] },
    ],
    events: [
      {
        event_id: 'F1',
        event_code: 'LJ',
        max_field_attempts: 3,
        units: [{ round: 1, heat: 1, rounds: 3, results: [{ bib: '1' }] }],
      },
      { event_id: 'R1', event_code: '4x100', rounds: '1' },
    ],
  });

describe('fields that the service itself answers with', () => {
  test('are no typos when they are sent back: the documents of a competition, and the answers to attempts', async () => {
    const { document, path, page } = await uploadsInto(admin, meeting());
    const unit = `${path}/events/F1/units/1/1`;
    await admin.post(`${unit}/attempts`, { bib: '1', round: 1, result: '6.12', wind: '+0.4' });
    await admin.patch(unit, { results: [{ bib: '1', performance: '6.12', wind: '+0.4' }] });
    const read = await admin.get(`${path}?include=competitors,teams,relay_teams,events`);
    for (const whole of [await document(), read.body] as Json[]) {
      const sent = { ...whole, id: undefined, slug: undefined, full_name: 'Another', country_ioc: 'GBR' };
      expect((await warningsOf(sent)).filter(({ type }) => type !== 'hidden')).toEqual([]);
    }
    const person = (await api.get(`${page}/competitor/1/json/`)).body as Json;
    const warnings = await warningsOf(competition({ competitors: [person], teams: [{ team_id: 'T' }] }));
    expect(brief(warnings).filter((warning) => warning.startsWith('unknown'))).toEqual([]);
  });

  test('nor are those that it reads from what was kept', async () => {
    const sent = meeting() as unknown as { competitors: Json[]; events: { units?: Json[] }[] };
    sent.competitors[0]!['checked_in'] = true;
    Object.assign(sent.events[0]!.units![0]!, {
      override_places: true,
      day: 1,
      trials: [{ bib: '1', round: 1, result: 'x', wind: '0.0', attempt: 1, jump_off: null }],
    });
    expect(await warningsOf(sent)).toEqual([]);
  });
});

describe('what the public will not see', () => {
  test('is said once for each name, judged by what hides it', async () => {
    const entries = [{ event_id: 'E', event_code: '100', dob: '2001-01-01' }];
    const sent = competition({
      competitors: [
        {
          competitor_id: '1',
          year_of_birth: 2001,
          email: 'a@example.org',
          sb: '11.0',
          events_entered: entries,
        },
        { competitor_id: '2', year_of_birth: 2002, email: 'b@example.org', pb: { dob: '2001-01-01' } },
      ],
      events: [
        {
          event_id: 'E',
          event_code: '100',
          units: [
            {
              round: 1,
              heat: 1,
              results: [
                { bib: '1', dob: '2001-01-01' },
                { bib: '2', dob: null },
              ],
            },
          ],
        },
      ],
    });
    const hidden = (await warningsOf(sent)).filter(({ type }) => type === 'hidden');
    expect(hidden.map(({ loc, msg }) => [loc.slice(1).join('.'), msg])).toEqual([
      ['competitors.0.email', 'Not shown to the public'],
      ['competitors.0.events_entered.0.dob', 'Not shown to the public'],
      ['competitors.1.pb', 'Not shown to the public'],
      ['events.0.units.0.results.0.dob', 'Not shown to the public'],
    ]);
  });
});

const questionOf = async (body: unknown, at: string) => {
  const { status, body: answer } = await admin.post('/api/v1/competitions/test', body);
  expect(status).toBe(422);
  const fault = (answer.detail as Warning[]).find(({ loc }) => loc.join('.') === at);
  expect(fault).toMatchObject({ type: 'missing' });
  return fault!.msg;
};

describe('a likely typo', () => {
  test.for<[Json, string, string]>([
    [{ full_name: undefined, fullName: 'A' }, 'body.full_name', 'full_name meant by "fullName"'],
    [{ full_name: undefined, full_nmae: 'A' }, 'body.full_name', 'full_name meant by "full_nmae"'],
    [{ full_name: '', 'Full Name': 'A' }, 'body.full_name', 'full_name meant by "Full Name"'],
    [{ country_id: undefined, country: 'GBR' }, 'body.country_id', 'country_id meant by "country"'],
    [{ date: undefined, dtae: '2026-07-18' }, 'body.date', 'date meant by "dtae"'],
    [{ events: [{ eventId: 'E' }] }, 'body.events.0.event_id', 'event_id meant by "eventId"'],
    [
      { competitors: [{ competitor_id: '1' }, { competitorID: '2' }] },
      'body.competitors.1.competitor_id',
      'competitor_id meant by "competitorID"',
    ],
    [
      { events: [{ event_id: 'E', units: [{ round: 1, heat: 1, results: [{ Bib: '1' }] }] }] },
      'body.events.0.units.0.results.0.bib',
      'bib meant by "Bib"',
    ],
  ])('is named where a field is missing: %j', async ([fields, at, question]) => {
    expect(await questionOf({ ...competition(), ...fields }, at)).toBe(`Field required: is ${question}?`);
  });

  test('is not made up of another field', async () => {
    const sent = competition({
      events: [{ event_id: 'E', units: [{ rounds: 3, heats: 2, distance: 100 }] }],
    });
    expect(await questionOf(sent, 'body.events.0.units.0.round')).toBe('Field required');
    expect(await questionOf(sent, 'body.events.0.units.0.heat')).toBe('Field required');
  });

  test('is named to creates and updates alike, and to a judge', async () => {
    const created = await admin.post('/api/v1/competitions/', {
      ...competition(),
      date: undefined,
      Date: '2026',
    });
    expect(created.body.detail[0].msg).toContain('is date meant by "Date"?');
    const { upload, path } = await uploadsInto(admin, meeting());
    const updated = await upload({ teams: [{ teamId: 'T' }] });
    expect(updated.body.detail[0].msg).toContain('is team_id meant by "teamId"?');
    const attempt = await admin.post(`${path}/events/F1/units/1/1/attempts`, { bib: '1', reslut: 'x' });
    expect(attempt.body.detail[0].msg).toContain('is result meant by "reslut"?');
  });

  test('is named where a field is unknown', async () => {
    const warnings = await warningsOf(
      competition({ teams: [{ team_id: 'T', teamName: 'Town', ream_name: 1 }] }),
    );
    expect(warnings.map(({ msg }) => msg)).toEqual([
      'Unknown field: it is kept as sent; is team_name meant?',
      'Unknown field: it is kept as sent',
    ]);
  });
});

const heat = (round: number, ...bibs: string[]) => ({
  round,
  heat: 1,
  results: bibs.map((bib) => ({ bib })),
});

const eventOf = (event_id: string, rounds: string, ...units: { round: number; heat: number }[]) => ({
  event_id,
  event_code: '100',
  rounds,
  units,
});

describe('warnings name', () => {
  const people = ['1', '2'].map((competitor_id) => ({ competitor_id }));

  test('a bib twice in a unit, but not in two', async () => {
    const units = [heat(1, '1', '2', '1', '1'), heat(2, '1')];
    const sent = competition({ competitors: people, events: [{ event_id: 'E', event_code: '100', units }] });
    expect(brief(await warningsOf(sent))).toEqual([
      'repeated_bib body.events.0.units.0.results.2.bib',
      'repeated_bib body.events.0.units.0.results.3.bib',
    ]);
  });

  test('an event without a code', async () => {
    const events = [
      { event_id: 'A' },
      { event_id: 'B', event_code: '100' },
      { event_id: 'C', event_code: ' ' },
    ];
    expect(brief(await warningsOf(competition({ events })))).toEqual([
      'no_event_code body.events.0.event_code',
      'no_event_code body.events.2.event_code',
    ]);
  });

  test('rounds that list round numbers, with the rounds of these units', async () => {
    const second = { round: 1, heat: 2 };
    const events = [
      eventOf('A', '1,2,3', heat(1), second, heat(2), heat(3)),
      eventOf('B', '2,1', heat(1), second, heat(2)),
      eventOf('C', '1,2', heat(1)),
    ];
    expect(await warningsOf(competition({ events }))).toEqual([
      {
        loc: ['body', 'events', 0, 'rounds'],
        msg: expect.stringContaining('number of heats in each round: 2,1,1 for these units'),
        type: 'round_numbers',
      },
    ]);
  });

  test('implausible marks, each', async () => {
    const marks = ['9:00.00', '10.2', '0'].map((performance, index) => ({ bib: `${index}`, performance }));
    const sent = competition({
      competitors: ['0', '1', '2'].map((competitor_id) => ({ competitor_id })),
      events: [{ event_id: 'E', event_code: '100', units: [{ round: 1, heat: 1, results: marks }] }],
    });
    expect(brief(await warningsOf(sent))).toEqual([
      'implausible body.events.0.units.0.results.0.performance',
      'implausible body.events.0.units.0.results.2.performance',
    ]);
  });
});

test('the work grows with the payload alone, whatever its names', async () => {
  const slips = Object.fromEntries(
    Array.from({ length: 8000 }, (_, n) => [`full_na${n % 10}${'e'.repeat(n % 5)}${n}`, n]),
  );
  const many = await warningsOf({ ...competition(), ...slips });
  expect(many).toHaveLength(1000);
  const missing = {
    ...competition(),
    full_name: '',
    ...slips,
    teams: Array.from({ length: 5000 }, () => ({ teamid_: 1 })),
  };
  const { status, body } = await plain.post('/api/v1/competitions/test', missing);
  expect([status, body.detail.length]).toEqual([422, 101]);
  const deep = JSON.parse(`${'{"fullName":'.repeat(25)}1${'}'.repeat(25)}`) as Json;
  expect((await plain.post('/api/v1/competitions/test', deep)).status).toBe(422);
});

const folder = process.env['COMPETITION_DATA_DIR'];

test.skipIf(!folder)('of a real competition only unknown fields and references are named', () => {
  const sent = CompetitionCreate.parse(
    JSON.parse(readFileSync(join(folder!, 'rio2016_upload.json'), 'utf8')),
  );
  const types = new Set(uploadWarnings(sent, false).map(({ type }) => type));
  types.delete('unresolved');
  types.delete('unknown_field');
  types.delete('hidden');
  expect([...types]).toEqual([]);
});
