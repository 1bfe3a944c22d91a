import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp({ BODY_LIMIT_MB: '1' });
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const COLLECTION = '/api/v1/competitions/';
const paths = (body: { detail: { loc: unknown[] }[] }) => body.detail.map(({ loc }) => loc.join('.'));
const payload = (text = '{}') => JSON.stringify(competition()).replace(/}$/, `,"odd":${text}}`);
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('a body that is no JSON is a 400', () => {
  test.for<[string, string | Buffer]>([
    ['cut off', '{"full_name": "A'],
    ['with a comma too much', '{"a": 1,}'],
    ['of single quotes', "{'a': 1}"],
    ['with NaN', '{"latitude": NaN}'],
    ['with a raw line break in a text', '{"a": "b\nc"}'],
    ['form fields', 'full_name=A&date=2026-06-13'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('\uFEFF{"a":1}', 'utf16le')],
    ['two documents', '{}{}'],
  ])('%s', async ([, body]) => {
    const answer = await admin.post(COLLECTION, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ detail: expect.any(String) });
  });
});

describe('a body that is JSON, but no object, is a 422 at its root', () => {
  test.for(['', '   ', 'null', '[]', '"text"', '1', 'true', '[{"full_name": "A"}]'])('%j', async (body) => {
    for (const path of [COLLECTION, `${COLLECTION}test`, (await uploadsInto(admin)).path]) {
      const answer = await admin.post(path, body);
      expect(answer.status).toBe(422);
      expect(paths(answer.body)).toEqual(['body']);
    }
  });
});

describe('readable bodies', () => {
  test.for<[string, (text: string) => string | Buffer, Record<string, string>]>([
    ['a byte order mark', (text) => `\uFEFF${text}`, {}],
    ['surrounding white space', (text) => `\r\n ${text}\n`, {}],
    ['a charset', (text) => text, { 'content-type': 'Application/JSON; charset=UTF-8' }],
    ['a JSON dialect', (text) => text, { 'content-type': 'application/vnd.api+json' }],
  ])('with %s', async ([, make, headers]) => {
    expect((await admin.post(COLLECTION, make(payload()), headers)).status).toBe(201);
  });

  test('without any content type header at all, as scripts send them', async () => {
    const answer = await admin.request({ method: 'POST', url: COLLECTION, payload: Buffer.from(payload()) });
    expect(answer.status).toBe(201);
  });

  test.for([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'rubbish',
  ])('of another type are a 415: %s', async (type) => {
    const answer = await admin.post(COLLECTION, payload(), { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(answer.body).toEqual({ detail: expect.any(String) });
  });

  test('over the limit are a 413, declared or not, also when they are no JSON', async () => {
    const large = `{"odd": "${'x'.repeat(1024 * 1024)}"}`;
    const answer = await admin.post(COLLECTION, large);
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({ detail: expect.any(String) });
    expect((await admin.post(COLLECTION, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await admin.post(COLLECTION, payload() + ' '.repeat(900_000))).status).toBe(201);
  });

  test('may hold unknown fields of up to 65,536 characters each', async () => {
    expect((await admin.post(COLLECTION, payload(`"${'x'.repeat(65_536)}"`))).status).toBe(201);
    const { status, body } = await admin.post(COLLECTION, payload(JSON.stringify(['x'.repeat(65_536)])));
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc: ['body', 'odd'] })]);
  });
});

describe('text that cannot be stored is a 422 with its path', () => {
  const texts = {
    NUL: '\\u0000',
    'a high surrogate': '\\ud83d',
    'a low surrogate': '\\udc5f',
    'surrogates swapped': '\\udc5f\\ud83d',
  };
  const places: [string, (text: string) => string][] = [
    ['body.full_name', (text) => JSON.stringify(competition()).replace('Test Meeting', text)],
    ['body.odd', (text) => payload(`"a${text}"`)],
    ['body.odd.deep.1.key', (text) => payload(`{"deep": [1, {"key": "${text}"}]}`)],
    [
      'body.competitors.0.first_name',
      (text) => payload(`1, "competitors": [{"competitor_id": "1", "first_name": "${text}"}]`),
    ],
    ['body.teams.0.team_id', (text) => payload(`1, "teams": [{"team_id": "${text}"}]`)],
    [
      'body.relay_teams.0.runners.1',
      (text) =>
        payload(`1, "relay_teams": [{"relay_team_id": "1", "event_id": "E", "runners": ["1", "${text}"]}]`),
    ],
    ['body.events.0.name', (text) => payload(`1, "events": [{"event_id": "E", "name": "${text}"}]`)],
    [
      'body.events.0.units.0.results.0.performance',
      (text) =>
        payload(
          `1, "events": [{"event_id": "E", "units": [{"round": 1, "heat": 1, "results": [{"bib": "1", "performance": "${text}"}]}]}]`,
        ),
    ],
  ];

  test.for(places)('%s', async ([path, make]) => {
    for (const text of Object.values(texts)) {
      const { status, body } = await admin.post(COLLECTION, make(text));
      expect(status).toBe(422);
      expect(paths(body)).toEqual([path]);
    }
  });

  test('also in names of fields, which are then shown without it', async () => {
    const { status, body } = await admin.post(COLLECTION, payload('{"a\\u0000b": 1, "c\\ud83d": 2}'));
    expect(status).toBe(422);
    expect(paths(body).toSorted()).toEqual(['body.odd.a\uFFFDb', 'body.odd.c\uFFFD']);
  });

  test('a whole character in escapes is fine', async () => {
    const { status, body } = await admin.post(COLLECTION, payload('"\\ud83d\\udc5f \\u00e9"'));
    expect(status).toBe(201);
    expect(body.odd).toBe('👟 é');
  });

  test('in an address is a 404, in a query a refusal', async () => {
    for (const url of [
      `${COLLECTION}%00`,
      '/x/2026/GBR/a%00b/json/',
      '/x/2026/GBR/a/event/%00/1/1/json/',
      `${COLLECTION}?country=%00`,
    ]) {
      expect((await admin.get(url)).status).toBe(404);
    }
  });
});

describe('odd objects', () => {
  test.for<[string, string]>([
    ['body.odd.__proto__', payload('{"__proto__": {"admin": true}}')],
    [
      'body.__proto__',
      '{"__proto__": {"full_name": "A"}, "full_name": "B", "country_id": "GBR", "date": "2026-06-13"}',
    ],
    ['body.odd.__proto__', payload('{"\\u005f_proto__": 1}')],
  ])('%s is reserved', async ([path, body]) => {
    const answer = await admin.post(COLLECTION, body);
    expect(answer.status).toBe(422);
    expect(paths(answer.body)).toEqual([path]);
  });

  test.for([
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    'toJSON',
    'length',
    '',
    '1',
    '$ref',
    'a.b',
  ])('a field called %j is kept like any other', async (name) => {
    const sent = { ...competition(), odd: { [name]: 1 }, [name]: { [name]: 'x' } };
    const { status, body } = await admin.post(COLLECTION, sent);
    expect(status).toBe(201);
    expect(body.odd).toEqual({ [name]: 1 });
    expect(Object.getOwnPropertyDescriptor(body, name)?.value).toEqual({ [name]: 'x' });
  });

  test.for<[string, Record<string, unknown>]>([
    ['body.year', { year: { toString: 1, valueOf: 1 } }],
    ['body.competitors.0.competitor_id', { competitors: [{ competitor_id: { toString: 1 } }] }],
    ['body.teams.0.team_id', { teams: [{ team_id: [{ toString: null }] }] }],
    [
      'body.events.0.units.0.round',
      { events: [{ event_id: 'E', units: [{ round: { toString: 1 }, heat: 1 }] }] },
    ],
    ['body.events.0.event_id', { events: [{ event_id: {} }] }],
  ])('where a value belongs are a 422: %s', async ([path, fields]) => {
    const { status, body } = await admin.post(COLLECTION, competition(fields));
    expect(status).toBe(422);
    expect(paths(body)).toEqual([path]);
  });

  test.for(['competitors', 'teams', 'relay_teams', 'events'])(
    '%s as an object, and items of other kinds, are a 422',
    async (section) => {
      const { upload } = await uploadsInto(admin);
      for (const [value, path] of [
        [{}, `body.${section}`],
        ['text', `body.${section}`],
        [[null], `body.${section}.0`],
        [[[]], `body.${section}.0`],
        [['text'], `body.${section}.0`],
      ] as const) {
        const { status, body } = await upload({ [section]: value });
        expect(status).toBe(422);
        expect(paths(body)).toEqual([path]);
      }
    },
  );

  test('nested too deeply are a 422, at any depth that fits into a body', async () => {
    for (const depth of [40, 5000, 200_000]) {
      const { status, body } = await admin.post(COLLECTION, payload(nested(depth)));
      expect(status).toBe(422);
      expect(body.detail).toHaveLength(1);
      expect(body.detail[0]).toMatchObject({ type: 'too_deep', msg: 'Nested too deeply' });
    }
    expect((await admin.post(COLLECTION, payload(nested(20)))).status).toBe(201);
    expect((await admin.post(COLLECTION, payload(JSON.stringify('['.repeat(100))))).status).toBe(201);
  });
});

describe('an id that is no UUID is a 404', () => {
  test.for([
    '1',
    'abc',
    'TEST2',
    '%20',
    '6f1f0a5e-4a55-4b7e-8f6b',
    `${randomUUID()}0`,
    randomUUID(),
    "' or 1=1",
    '{comp_id}',
    'x'.repeat(2000),
  ])('%s', async (id) => {
    const path = COLLECTION + encodeURIComponent(id);
    const before = await snapshot(api.db);
    for (const answer of [
      await admin.get(path),
      await admin.post(path, { city: 'X' }),
      await admin.delete(path),
      await admin.get(`${path}/settings`),
      await admin.patch(`${path}/settings`, {}),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    }
    expect(await snapshot(api.db)).toEqual(before);
  });
});
