// What generated clients need of the OpenAPI document. Every rule comes with an operation that breaks it, which it has to find.
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CompetitionWithParts } from '../src/competitions/answer-schemas.ts';
import { startTestApp } from './helpers/app.ts';

const Parameter = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
  schema: z.looseObject({ type: z.unknown().optional() }),
});
const Operation = z.object({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  tags: z.array(z.string()).default([]),
  parameters: z.array(Parameter).default([]),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), headers: z.record(z.string(), z.unknown()).default({}) }),
  ),
});
type Operation = z.output<typeof Operation> & { path: string };
const Document = z.object({
  info: z.object({ license: z.looseObject({}) }),
  tags: z.array(z.object({ name: z.string(), description: z.string().min(1) })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const published = (await api.get('/openapi.json')).body;
const document = Document.parse(published);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ ...operation, path })),
);
const TAGS = new Set(document.tags.map(({ name }) => name));

const names = ({ parameters }: Operation, place: string) =>
  parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
const isSuccess = (status: string) => status.startsWith('2');
const isRefusal = (status: string) => status.startsWith('4');
const NUMBERS = new Set(['year', 'round_no', 'heat_no']);

/** The headers that come with an answer of that status, whatever the operation. */
const HEADERS: Record<string, string> = {
  304: 'ETag',
  308: 'Location',
  401: 'WWW-Authenticate',
  412: 'ETag',
  429: 'Retry-After',
  503: 'Retry-After',
};
/** What an operation with that answer reads. */
const READS: Record<string, string> = { 304: 'If-None-Match', 412: 'If-Match' };

type Rule = { of: string; holds: (operation: Operation) => boolean; violation: Partial<Operation> };

const RULES: Rule[] = [
  {
    of: 'a name in camelCase, that starts with what it does',
    holds: ({ operationId = '' }) =>
      /^(ping|test|(create|read|list|update|change|delete|record|revoke)(?=[A-Z]))[A-Za-z]*$/.test(
        operationId,
      ),
    violation: { operationId: undefined },
  },
  {
    of: 'a summary, and tags that are described',
    holds: ({ summary, tags }) => Boolean(summary) && tags.length > 0 && tags.every((tag) => TAGS.has(tag)),
    violation: { tags: ['others'] },
  },
  {
    of: 'answers described in words of its own',
    holds: ({ responses }) =>
      Object.values(responses).every(({ description }) => !/^$|^Default Response$/.test(description)),
    violation: { responses: { 200: { description: 'Default Response', headers: {} } } },
  },
  {
    of: 'a success and a refusal',
    holds: ({ responses }) =>
      Object.keys(responses).some(isSuccess) && Object.keys(responses).some(isRefusal),
    violation: { responses: { 200: { description: 'It is', headers: {} } } },
  },
  {
    of: 'the headers of its answers',
    holds: ({ responses }) =>
      Object.entries(responses).every(
        ([status, { headers }]) => !HEADERS[status] || HEADERS[status] in headers,
      ),
    violation: { responses: { 429: { description: 'Too many', headers: {} } } },
  },
  {
    of: 'the headers that it reads',
    holds: (operation) =>
      Object.keys(operation.responses).every(
        (status) => !READS[status] || names(operation, 'header').includes(READS[status]),
      ),
    violation: { responses: { 412: { description: 'Stale', headers: { ETag: {} } } } },
  },
  {
    of: 'the parameters in its path',
    holds: (operation) =>
      Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name]) => name).join() ===
      names(operation, 'path').join(),
    violation: { path: '/x/{year}' },
  },
  {
    of: 'integers where its path has numbers',
    holds: ({ parameters }) =>
      parameters.every(({ name, schema }) => !NUMBERS.has(name) || schema.type === 'integer'),
    violation: { parameters: [{ in: 'path', name: 'heat_no', schema: { type: 'string' } }] },
  },
];

const SOUND: Operation = {
  path: '/',
  operationId: 'readPlace',
  summary: 'A place',
  tags: ['service'],
  parameters: [],
  responses: {
    200: { description: 'The place', headers: {} },
    404: { description: 'No such place', headers: {} },
  },
};

describe.each(RULES)('every operation declares $of', ({ holds, violation }) => {
  test('as the document shows', () => {
    expect(operations.filter((operation) => !holds(operation))).toEqual([]);
  });

  test('and one that does not is found', () => {
    expect([holds(SOUND), holds({ ...SOUND, ...violation })]).toEqual([true, false]);
  });
});

test('no two operations have one name', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every reference leads somewhere, and every shape is referred to', () => {
  const text = JSON.stringify(published);
  const referred = new Set(
    Array.from(text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g), ([, name]) => name!),
  );
  expect(Object.keys(document.components.schemas).toSorted()).toEqual([...referred].toSorted());
});

test('the licence has an identifier that tools know', () => {
  expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
});

const declared = (id: string, status: number) => {
  const operation = operations.find(({ operationId }) => operationId === id);
  return Object.keys(operation!.responses[String(status)]!.headers).toSorted();
};

describe('the headers declared are those that come', () => {
  const SEEN = ['ETag', 'Last-Modified', 'Location', 'X-Total-Count', 'Retry-After', 'WWW-Authenticate'];
  const meeting = { full_name: 'Headers', country_id: 'GBR', date: '2026-07-18' };
  const events = [
    { event_id: 'F1', event_code: 'LJ', units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }] },
  ];
  const come = (headers: Record<string, unknown>) =>
    SEEN.filter((name) => name.toLowerCase() in headers).toSorted();

  test('with saves and reads of a competition and a unit, and with their refusals', async () => {
    const created = await admin.post('/api/v1/competitions', { ...meeting, events });
    const path = `/api/v1/competitions/${created.body.id}`;
    const unit = `${path}/events/F1/units/1/1`;
    const page = `/x/2026/GBR/${created.body.slug}`;
    const read = await api.get(`${page}/json/`);
    const first = await admin.post(`${unit}/attempts`, { bib: '1', round: 1, result: '6.00' });
    const answers = {
      createCompetition: created,
      readCompetition: await admin.get(`${path}?include=events`),
      updateCompetition: await admin.post(path, { city: 'Ayr' }),
      listCompetitions: await admin.get('/api/v1/competitions'),
      readAccount: await api.get('/api/v1/auth/me'),
      readUnit: await admin.get(unit),
      updateUnit: await admin.patch(unit, { wind_assistance: '1.0' }, { 'if-match': '"1"' }),
      recordAttempt: first,
      deleteAttempt: await admin.delete(`${unit}/attempts/${first.body.attempt.attempt_id}`),
      readPublicCompetition: await api.get(`${page}/json/`, { 'if-none-match': '*' }),
      readPublicUnit: await api.get(`${page}/event/F1/1/1/json/`),
      readPublicEvent: await api.get(`${page.replace('GBR', 'gbr')}/event/F1/json/`),
    };
    expect(read.status).toBe(200);
    expect(Object.values(answers).map(({ status }) => status)).toEqual([
      201, 200, 200, 200, 401, 200, 412, 201, 200, 304, 200, 308,
    ]);
    for (const [id, { status, headers }] of Object.entries(answers)) {
      expect([id, ...come(headers)]).toEqual([id, ...declared(id, status)]);
    }
  });
});

test('a competition read with its parts has the shape that is declared, as it has without', async () => {
  const parts = {
    competitors: [{ competitor_id: '1', last_name: 'Lind' }],
    teams: [{ team_id: 'T' }],
    relay_teams: [{ relay_team_id: 'R', event_id: 'R1' }],
    events: [{ event_id: 'R1', units: [{ round: 1, heat: 1, results: [{ bib: 'R', points: 3 }] }] }],
  };
  const { body } = await admin.post('/api/v1/competitions', {
    full_name: 'Parts',
    country_id: 'GBR',
    date: '2026-07-18',
    ...parts,
  });
  const path = `/api/v1/competitions/${body.id}`;
  for (const query of ['', '?include=teams', '?include=competitors,teams,relay_teams,events']) {
    const read = await admin.get(path + query);
    expect(CompetitionWithParts.parse(read.body)).toEqual(read.body);
  }
});
