// Requests made from the OpenAPI document: mostly valid, some of them spoilt in one place or another. Arbitraries of fast-check.
import * as fc from 'fast-check';
import type { OpenApiDocument, OpenApiOperation, Schema } from './openapi-document.ts';

export type FuzzRequest = {
  operation: OpenApiOperation;
  method: string;
  /** Segments of the path by name; one that is missing is to lead to what there is. */
  segments: Record<string, string>;
  query: string;
  headers: Record<string, string>;
  payload: string | Buffer | undefined;
  as: 'admin' | 'plain' | 'nobody' | 'forger';
};

type Any = fc.Arbitrary<unknown>;
type Names = Record<string, unknown[]>;

const NESTED = 40;
const reserved: unknown = JSON.parse(
  '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
);
const HOSTILE = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b',
  '٣',
  '1e999',
  '-0',
  '0x10',
  'NaN',
  'null',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  "'; drop table competitions; --",
  '<script>alert(1)</script>',
  '${7*7}',
  '%00',
  '%',
  '\r\nx-injected: 1',
  'x'.repeat(70_000),
  '0'.repeat(5000),
  '+'.repeat(3000),
  0,
  -0,
  -1,
  1.5,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  true,
  null,
  [],
  {},
  [[[]]],
  [null],
  { length: -1 },
  { toString: 1, valueOf: 1 },
  { toJSON: 'x' },
  reserved,
  JSON.parse('['.repeat(NESTED) + ']'.repeat(NESTED)),
  JSON.parse('{"a":'.repeat(NESTED) + '1' + '}'.repeat(NESTED)),
];
const hostile: Any = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
);

/** Words of the sport beside those in the document's examples. */
const WORDS: Names = {
  website: ['https://example.org/a', null, ''],
  entry_link: ['http://example.org', null],
  results_link: ['http://example.org', null],
  finish_date: [null, '2026-07-19'],
  year: [null, ''],
  id: [null, ''],
  override_token: [null],
  team_id: ['T', 'HTH'],
  relay_team_id: ['RT'],
  parent: [null, ''],
  slug: [null, ''],
  jump_off: [null, 1],
  attempt: [null, 1, 2],
  event_code: ['HJ', 'PV', 'LJ', 'SP', '100', '4x100', 'HEP'],
  event_id: ['LJ', 'HJ', '100', 'R'],
  bib: ['1', '2', '3', 'RT'],
  competitor_id: ['1', '2', '3'],
  result: ['o', 'x', '-', 'r', '6.00', '6.01'],
  height: ['1.80', '1.85', 1.9],
  heights: [['1.80', '1.85', '1.90'], []],
  performance: ['11.82', '6.21', 'DNF', '4:01.2', ''],
  place: [1, 2, '1=', 'DQ'],
  rounds: ['1', '2,1', '', 3],
  round: [1, 2, '1'],
  heat: [1, 2],
  country_id: ['GBR', 'SCO', 'GER'],
  country: ['GBR', 'FRA'],
  date: ['2026-06-13', '2026-06-14'],
  include: ['events', 'competitors,teams', 'events,events'],
  case: ['camel', 'snake'],
  updated_since: ['2026-01-01T00:00:00Z'],
  'If-Match': ['"1"', '*', 'W/"1"'],
  'If-None-Match': ['*', '"x"'],
  'Idempotency-Key': ['k1', 'k2'],
};

export function requestsOf(document: OpenApiDocument): fc.Arbitrary<FuzzRequest> {
  const words = wordsOf(document.source);
  for (const [name, more] of Object.entries(WORDS)) words[name] = [...(words[name] ?? []), ...more];
  const valueOf = valuesOf(document, words);
  return fc.oneof(
    // A stream has no end that an answer could be judged at.
    ...document.operations
      .filter(({ id }) => id !== 'readChangesStream')
      .map((operation) => ({
        // Where most can go wrong.
        weight: /^(updateUnit|recordAttempt|updateCompetition|createCompetition|testCompetition)$/.test(
          operation.id,
        )
          ? 4
          : 1,
        arbitrary: requestOf(operation, valueOf),
      })),
  );
}

type ValueOf = (schema: Schema, name?: string) => Any;

function requestOf(operation: OpenApiOperation, valueOf: ValueOf): fc.Arbitrary<FuzzRequest> {
  const parameters = (place: string, textOf: (value: unknown) => string, requiredKeys: string[] = []) =>
    fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema }) => [name, valueOf(schema, name).map(textOf)]),
      ),
      { requiredKeys },
    );
  return fc.record({
    operation: fc.constant(operation),
    method: fc.oneof(
      { weight: 20, arbitrary: fc.constant(operation.method) },
      { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'DELETE', 'PUT') },
    ),
    segments: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: parameters('path', (value) => encodeURIComponent(wellFormed(value))) },
      { weight: 1, arbitrary: parameters('path', rawSegment) },
    ),
    query: fc
      .tuple(parameters('query', wellFormed), parameters('query', wellFormed), fc.boolean())
      .map(queryText),
    headers: fc
      .tuple(parameters('header', headerText), fc.record(COMMON_HEADERS, { requiredKeys: [] }))
      .map(([declared, common]) => ({ ...common, ...declared })),
    payload: operation.body ? payloadOf(valueOf(operation.body), operation.types) : fc.constant(undefined),
    as: fc.oneof(
      { weight: 12, arbitrary: fc.constant('admin' as const) },
      { weight: 1, arbitrary: fc.constantFrom('plain' as const, 'nobody' as const, 'forger' as const) },
    ),
  });
}

const COMMON_HEADERS = {
  'accept-encoding': fc.constantFrom('br', 'gzip;q=0', 'identity;q=0, *;q=0', '*', ',;=,q'),
  'x-forwarded-for': fc.constantFrom('127.0.0.1', '::1, 1.2.3.4', 'x', ''),
  origin: fc.constantFrom('null', 'https://evil.example'),
  'x-request-id': fc.constantFrom('mine', 'x'.repeat(500)),
  'if-modified-since': fc.constantFrom('never', 'Sat, 18 Jul 2026 02:00:03 GMT'),
  range: fc.constantFrom('bytes=0-', 'bytes=9-1,-'),
};

const wellFormed = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed().slice(0, 3000);
const headerText = (value: unknown) => wellFormed(value).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
const rawSegment = (value: unknown) => headerText(value).replaceAll(/[\s#?\\]/g, '');

function queryText([one, other, twice]: [Record<string, string>, Record<string, string>, boolean]): string {
  const text = new URLSearchParams(one).toString();
  return twice ? `${text}&${new URLSearchParams(other).toString()}&__proto__=1&x[y]=1&=&%` : text;
}

/** JSON as it should be for the most part; else cut off, in another encoding, a form, or nothing. */
function payloadOf(value: Any, types: string[]): fc.Arbitrary<string | Buffer> {
  const json = value.map((sent) => JSON.stringify(sent));
  const form = value.map(formOf);
  return fc.oneof(
    { weight: 14, arbitrary: json },
    { weight: types.length > 1 ? 4 : 1, arbitrary: form },
    { weight: 1, arbitrary: fc.tuple(json, fc.nat({ max: 200 })).map(([text, at]) => text.slice(0, at)) },
    { weight: 1, arbitrary: fc.tuple(json, fc.nat({ max: 200 })).map(([text, at]) => spliced(text, at)) },
    { weight: 1, arbitrary: json.map((text) => `\uFEFF${text}`) },
    { weight: 1, arbitrary: json.map((text) => Buffer.from(text, 'utf16le')) },
    { weight: 1, arbitrary: fc.constantFrom('', 'null', '[]', '"', '{"a":1,"a":{}}', '1e999', '[1e999]') },
  );
}

const formOf = (sent: unknown) => {
  const fields = Object.entries(Object(sent) as object);
  return new URLSearchParams(
    Object.fromEntries(fields.map(([name, value]) => [name, wellFormed(value)])),
  ).toString();
};

const spliced = (text: string, at: number) =>
  Buffer.concat([
    Buffer.from(text.slice(0, at)),
    Buffer.from([0xff, 0x00, 0xc0]),
    Buffer.from(text.slice(at)),
  ]);

/** Values of a schema; each of its parts is now and then of another world. */
function valuesOf({ schemas }: OpenApiDocument, words: Names): ValueOf {
  const named = new Map<string, Any>();
  const reference = (name: string): Any => {
    const known = named.get(name);
    if (known) return known;
    const made = valid(schemas[name]!);
    named.set(name, made);
    return made;
  };
  const valueOf: ValueOf = (schema, name) =>
    fc.oneof(
      { weight: 150, arbitrary: valid(schema, name) },
      { weight: 1, arbitrary: hostile },
      { weight: 1, arbitrary: beyond(schema) },
    );

  function valid(schema: Schema, name = ''): Any {
    if (schema.$ref) return reference(schema.$ref.split('/').at(-1)!);
    const usual = words[name] ?? [];
    const plain = plainValue(schema, name);
    if (usual.length === 0 || schema.properties) return plain;
    return fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: plain });
  }

  function plainValue(schema: Schema, name: string): Any {
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one, name)));
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (Array.isArray(schema.type))
      return fc.oneof(...schema.type.map((type) => plainValue({ ...schema, type }, name)));
    if (schema.type === 'object' || schema.properties) return objectOf(schema);
    if (schema.type === 'array') return fc.array(valueOf(schema.items ?? {}, name), { maxLength: 3 });
    if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema);
    if (schema.type === 'string') return textOf(schema);
    if (schema.type === 'null') return fc.constant(null);
    if (schema.type === 'boolean') return fc.boolean();
    return fc.jsonValue({ maxDepth: 1 });
  }

  function objectOf({ properties = {}, required = [] }: Schema): Any {
    const fields = Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, name)] as const);
    const requiredKeys = required.filter((name) => name in properties);
    const model = fc.record(Object.fromEntries(fields), { requiredKeys });
    const odd = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), hostile, { maxKeys: 1 });
    const slips = fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: odd });
    return fc.tuple(model, slips, fc.nat({ max: 30 })).map(([value, more, missing]) => {
      const sent: Record<string, unknown> = { ...value, ...more };
      if (missing === 0 && requiredKeys[0] !== undefined) delete sent[requiredKeys[0]];
      return sent;
    });
  }

  return valueOf;
}

const numberOf = ({ minimum = -1e6, maximum = 1e6 }: Schema): Any =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.integer({ min: Math.ceil(minimum), max: Math.min(Math.ceil(minimum) + 3, maximum) }),
    },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum, String(minimum)) },
  );

function textOf({ pattern, format, maxLength = 40 }: Schema): Any {
  if (format === 'date') return fc.constantFrom('2026-06-13', '2024-02-29', '9999-12-31', '1000-01-01');
  if (format === 'uuid') return fc.uuid();
  if (pattern && format === undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 20) }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(maxLength), 'ü'.repeat(maxLength)) },
  );
}

/** One step further than the schema allows. */
const beyond = ({ minimum = 0, maximum = 0, maxLength = 100 }: Schema): Any =>
  fc.constantFrom(minimum - 1, maximum + 1, 1.00001, 'x'.repeat(maxLength + 1), '2026-02-30', '0000-00-00');

/** What the examples of a document call each thing. */
function wordsOf(source: unknown): Names {
  const words: Names = {};
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === 'object') collect(item);
      else (words[name] ??= []).push(item);
    }
  };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      if (name === 'example') collect(value);
      else visit(value);
    }
  };
  visit(source);
  return words;
}
