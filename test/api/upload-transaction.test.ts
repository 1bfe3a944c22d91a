import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { uploadsInto } from '../helpers/uploads.ts';
import { runSql } from '../helpers/sql.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const heat = (fields: Record<string, unknown> = {}) => ({ round: 1, heat: 1, ...fields });
const MEETING = {
  competitors: [
    {
      competitor_id: '1',
      first_name: 'Ana',
      last_name: 'Bo',
      date_of_birth: '2001-02-03',
      team_id: 'T',
      nationality: 'ESP',
      events_entered: [{ event_id: 'E1', event_code: '100', pb: null }],
    },
    { competitor_id: '2', first_name: 'Cy', gender: '' },
  ],
  teams: [{ team_id: 'T', team_name: 'Town' }],
  relay_teams: [{ event_id: 'R', relay_team_id: 'TA', name: 'Town A', runners: ['1', '2'] }],
  events: [
    { event_id: 'E1', event_code: '100', name: '100 m', rounds: '2,1', age_groups: ['ALL'] },
    {
      event_id: 'LJ',
      event_code: 'LJ',
      units: [
        heat({
          results_status: 'official',
          results: [{ bib: '1', place: 1, performance: '6.01', points: 0, splits: [{ distance: 1 }] }],
          trials: [{ bib: '1', round: 1, result: '6.01', wind: 0.4 }],
        }),
      ],
    },
    { event_id: 'R', event_code: '4x100', units: [heat({ results: [{ bib: 'TA', place: 1 }] })] },
  ],
};

/** The same content, every object's keys in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, turned(item)] as const)
      .toReversed(),
  );
}
const withStatus = (value: string) => ({ events: [{ event_id: 'LJ', units: [heat({ status: value })] }] });
const twice = (item: unknown) => [item, item];
const people = (n: number) => Array.from({ length: 20 }, (_, i) => ({ competitor_id: `${n}-${i}` }));

describe('sending what is there already', () => {
  test.for<[string, unknown]>([
    ['the same upload', MEETING],
    ['the same in another order of keys', turned(MEETING)],
    ['part of it', { events: MEETING.events.slice(1) }],
    ['fields of it', { competitors: [{ competitor_id: '1', last_name: 'Bo' }] }],
    ['a unit without its contents', { events: [{ event_id: 'LJ', units: [heat()] }] }],
    ['numbers as text', { events: [{ event_id: 'LJ', units: [{ round: '1', heat: ' 1 ' }] }] }],
    [
      'computed names',
      { events: [{ event_id: 'LJ', units: [heat({ channel: 'x', round_no: 9, revision: 1 })] }] },
    ],
  ])('writes no row and pushes nothing: %s', async ([, again]) => {
    const { store } = await uploadsInto(admin, { push: true });
    await store(MEETING);
    const before = await snapshot(api.db);
    api.clock.advance(1000);
    await store(again);
    await store(again);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('after another upload changed it in between is a change back', async () => {
    const { store, unit } = await uploadsInto(admin);
    for (const value of ['running', 'finished', 'running']) {
      await store(withStatus(value));
      expect((await unit('LJ')).status).toBe(value);
    }
  });

  test('a change takes a new revision for the units it shows in, and for no other', async () => {
    const { store, unit } = await uploadsInto(admin);
    await store(MEETING);
    const before = { jump: await unit('LJ'), heat: await unit('E1'), relay: await unit('R') };
    api.clock.advance(1000);
    await store({ events: [{ event_id: 'LJ', units: [heat({ status: 'finished' })] }] });
    const after = await unit('LJ');
    expect(after).toMatchObject({ status: 'finished', updated_at: api.clock.now.toISOString() });
    expect(after.revision).toBeGreaterThan(Math.max(before.jump.revision, before.heat.revision));
    expect({ heat: await unit('E1'), relay: await unit('R') }).toEqual({
      heat: before.heat,
      relay: before.relay,
    });
  });
});

describe.skipIf(!process.env['COMPETITION_DATA_DIR'])('real meetings (COMPETITION_DATA_DIR is set)', () => {
  test.for(['full_competition_upload.json', 'rio2016_upload.json'])(
    '%s sent again, also turned round, changes no row',
    async (name) => {
      const folder = process.env['COMPETITION_DATA_DIR'] ?? '';
      const meeting = JSON.parse(await readFile(`${folder}/${name}`, 'utf8')) as Record<string, unknown>;
      const fields = { ...competition(), ...meeting };
      const anywhere = await api.as(`ADMIN_${fields.country_id}`);
      const created = await anywhere.post('/api/v1/competitions/', fields);
      expect(created).toMatchObject({ status: 201 });
      const before = await snapshot(api.db);
      const path = `/api/v1/competitions/${created.body.id}`;
      expect((await anywhere.post(path, meeting)).status).toBe(200);
      expect((await anywhere.post(path, turned(meeting))).status).toBe(200);
      expect(await snapshot(api.db)).toEqual(before);
    },
  );
});

describe('the same key twice in one array', () => {
  const event = { event_id: 'E', units: [] };

  test.for<[string, string, unknown]>([
    ['competitors', 'body.competitors.1.competitor_id', { competitors: twice({ competitor_id: '1' }) }],
    [
      'competitors, as number and text',
      'body.competitors.1.competitor_id',
      { competitors: [{ competitor_id: 1 }, { competitor_id: '1' }] },
    ],
    ['teams', 'body.teams.1.team_id', { teams: twice({ team_id: 'T' }) }],
    [
      'relay teams',
      'body.relay_teams.1.relay_team_id',
      { relay_teams: twice({ relay_team_id: 'A', event_id: 'E' }) },
    ],
    ['events', 'body.events.2.event_id', { events: [event, { event_id: 'F', units: [] }, event] }],
    ['units', 'body.events.0.units.1.heat', { events: [{ ...event, units: twice(heat()) }] }],
    [
      'units, as number and text',
      'body.events.0.units.1.heat',
      { events: [{ ...event, units: [heat(), heat({ heat: '1' })] }] },
    ],
    [
      'units, in other digits',
      'body.events.0.units.1.heat',
      { events: [{ ...event, units: [heat(), heat({ round: '01', heat: ' 1.0' })] }] },
    ],
  ])('is a 422 with its path: %s', async ([, path, upload]) => {
    const before = await snapshot(api.db);
    for (const [url, body] of [
      [(await uploadsInto(admin)).path, upload],
      ['/api/v1/competitions/', { ...competition(), ...Object(upload) }],
    ] as const) {
      const { status, body: answer } = await admin.post(url, body);
      expect(status).toBe(422);
      expect(answer.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))).toEqual([path]);
    }
    expect((await snapshot(api.db))['units']).toEqual(before['units']);
  });
});

describe('all or nothing', () => {
  test('a fault in the last unit leaves nothing of the first', async () => {
    const { upload } = await uploadsInto(admin);
    const before = await snapshot(api.db);
    const units = [heat({ status: 'finished' }), heat({ heat: 2, results: [{ place: 1 }] })];
    const { status, body } = await upload({
      city: 'Changed',
      competitors: MEETING.competitors,
      events: [{ event_id: 'E', units }],
    });
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      { loc: ['body', 'events', 0, 'units', 1, 'results', 0, 'bib'], msg: 'Field required', type: 'missing' },
    ]);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('a failure of the database midway leaves nothing, and is a plain error without details', async () => {
    const own = await startTestApp();
    try {
      const owner = await own.as('ADMIN_GBR');
      const { upload, store } = await uploadsInto(owner, { push: true });
      await runSql(
        own.ownerUrl,
        `create function fail() returns trigger language plpgsql as $$ begin raise exception 'secret detail'; end $$`,
      );
      await runSql(own.ownerUrl, 'create trigger fail before insert on outbox execute function fail()');
      const before = await snapshot(own.db);
      const { status, body, headers } = await upload({ city: 'Changed', ...MEETING });
      expect(status).toBe(500);
      expect(body).toEqual({ detail: `Internal error; quote request ${String(headers['x-request-id'])}` });
      expect(await snapshot(own.db)).toEqual(before);
      await runSql(own.ownerUrl, 'drop trigger fail on outbox');
      await store(MEETING);
    } finally {
      await own.close();
    }
  });

  test('a create that fails midway leaves no competition and uses up no name', async () => {
    const before = await snapshot(api.db);
    const sent = competition({ events: [{ event_id: 'E', units: [heat({ heat: 'x' })] }] });
    expect((await admin.post('/api/v1/competitions/', sent)).status).toBe(422);
    expect(await snapshot(api.db)).toEqual(before);
    expect((await admin.post('/api/v1/competitions/', { ...sent, events: null })).status).toBe(201);
  });
});

describe('uploads at the same moment', () => {
  test('into one competition are all kept, one after the other', async () => {
    const { upload, document } = await uploadsInto(admin, { push: true });
    const uploads = Array.from({ length: 8 }, (_, n) => ({
      competitors: people(n),
      events: [
        { event_id: 'E', units: [heat({ heat: n + 1, results: [{ bib: `${n}-1`, performance: '10.0' }] })] },
      ],
    }));
    const answers = await Promise.all(uploads.map(upload));
    expect(answers.map(({ status }) => status)).toEqual(uploads.map(() => 200));
    const { competitors, events } = await document();
    expect(competitors).toHaveLength(160);
    expect(events[0].units).toHaveLength(8);
  });

  test('of one unit publish its revisions in rising order, the stored one last', async () => {
    const { upload, unit } = await uploadsInto(admin, { push: true });
    const read = outboxReader(api.db);
    await read();
    const uploads = Array.from({ length: 10 }, (_, n) => ({
      events: [{ event_id: 'E', units: [heat({ day: n })] }],
    }));
    await Promise.all(uploads.map(upload));
    const revisions = (await read()).map(({ data }) => data.revision as number);
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect((await unit('E')).revision).toBe(revisions.at(-1));
  });

  test('and a delete: the upload is stored before it, or finds nothing', async () => {
    const { upload, path } = await uploadsInto(admin);
    const [uploaded, deleted] = await Promise.all([upload(MEETING), admin.delete(path)]);
    expect(deleted.status).toBe(204);
    expect([200, 404]).toContain(uploaded.status);
  });
});
