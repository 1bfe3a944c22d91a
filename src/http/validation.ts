// Validation by the zod schemas of the routes, worded in the API's dialect.
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { Invalid, type Issue } from '../errors.ts';
import { faultsFoundReading } from './body.ts';
import { createProblems, type Problems } from './problems.ts';
import { brokenRules } from './schemas.ts';
import { likelyName } from './spelling.ts';

const PLACES: Record<string, string> = { querystring: 'query', params: 'path', headers: 'header' };

/** Fastify's validator. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const place = PLACES[httpPart ?? ''] ?? 'body';
  return (data: unknown) => validate(schema, data, place);
};

/** Judges what was read: its value as the schema has it, or every fault at once, each with its path. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  place = 'body',
): { value: z.output<Schema>; error?: never } | { error: Invalid } {
  const read = place === 'body' ? faultsFoundReading(data) : undefined;
  const problems = read?.problems ?? createProblems();
  // Schemas recurse: what is too deep for them is judged by its depth alone.
  if (read?.deep) return { error: new Invalid(problems.told()) };
  const parsed = compiled(schema).safeParse(data ?? undefined, FIRST_ONLY);
  if (!parsed.success) findFaults(schema, data ?? undefined, [place], problems);
  for (const { path, message } of brokenRules(schema, data)) {
    problems.add(() => issue([place, ...path], message));
    if (problems.enough()) break;
  }
  return parsed.success && problems.count() === 0
    ? { value: parsed.data }
    : { error: new Invalid(problems.told()) };
}

// Its issues are not used: a list of a million wrong items would make a million of them.
const FIRST_ONLY: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

const compilations = new WeakMap<z.ZodType, z.ZodType>();

// Generated code judges a large upload in a third of the time; what it refuses is judged again by the schema, for the reasons.
function compiled<Schema extends z.ZodType>(schema: Schema): Schema {
  const known = compilations.get(schema) as Schema | undefined;
  if (known) return known;
  const made = z.compile(schema);
  compilations.set(schema, made);
  return made;
}

type Loc = Issue['loc'];

/** Puts the faults of refused data among the problems: lists of objects item by item, so that it can stop when there are enough. */
function findFaults(schema: z.ZodType, data: unknown, at: Loc, problems: Problems): void {
  const lists = listsIn(schema, data);
  const rest =
    lists.length === 0
      ? data
      : { ...(data as object), ...Object.fromEntries(lists.map(({ name }) => [name, []])) };
  for (const found of schema.safeParse(rest).error?.issues ?? [])
    problems.add(() => issueOf(found, data, at));
  for (const { name, item, items } of lists) {
    const judge = compiled(item);
    for (let index = 0; index < items.length && !problems.enough(); index++) {
      if (judge.safeParse(items[index], FIRST_ONLY).success) continue;
      findFaults(item, items[index], [...at, name, index], problems);
    }
  }
}

type List = { name: string; item: z.ZodType; items: unknown[] };

/** The lists of objects that an object has; one of too many items is judged as a whole, by their number. */
function listsIn(schema: z.ZodType, data: unknown): List[] {
  const object = readOf(schema);
  if (!(object instanceof z.ZodObject) || typeof data !== 'object' || data === null) return [];
  return Object.entries(object.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const items = (data as Record<string, unknown>)[name];
    const list = unwrapped(field);
    if (!Array.isArray(items) || !(list instanceof z.ZodArray)) return [];
    const item = list.element as z.ZodType;
    return readOf(item) instanceof z.ZodObject && items.length <= maximumOf(list)
      ? [{ name, item, items: items as unknown[] }]
      : [];
  });
}

function maximumOf(list: z.ZodArray): number {
  // oxlint-disable no-underscore-dangle -- the only place that knows the limit of a list
  const limits = (list._zod.def.checks ?? []).map(({ _zod: { def } }) =>
    'maximum' in def ? Number(def.maximum) : Infinity,
  );
  // oxlint-enable no-underscore-dangle
  return Math.min(...limits);
}

/** What is read, of a schema that makes something else of it. */
const readOf = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : schema;

function unwrapped(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)) return schema;
  return unwrapped(schema.unwrap() as z.ZodType);
}

const issue = (loc: Issue['loc'], msg: string, type = 'value_error'): Issue => ({ loc, msg, type });

function issueOf({ path, message, code }: z.core.$ZodIssue, data: unknown, at: Loc): Issue {
  const loc = [...at, ...path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  const missing = message === 'Field required' || message.endsWith('received undefined');
  return missing
    ? issue(loc, `Field required${slipAt(path, data)}`, 'missing')
    : issue(loc, message, code === 'custom' ? undefined : code);
}

/** The question whether a field that was sent is the missing one, misspelled; empty when none looks like it. */
function slipAt(path: PropertyKey[], data: unknown): string {
  const wanted = path.at(-1);
  const object = path.slice(0, -1).reduce(memberOf, data);
  if (typeof wanted !== 'string' || typeof object !== 'object' || object === null || Array.isArray(object))
    return '';
  const sent = likelyName(object, wanted);
  return sent === undefined ? '' : `: is ${wanted} meant by ${JSON.stringify(sent)}?`;
}

const memberOf = (value: unknown, step: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Record<PropertyKey, unknown>)[step]
    : undefined;
