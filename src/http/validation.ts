// Validation by the zod schemas of the routes, worded in the API's dialect.
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { Invalid, type Issue } from '../errors.ts';
import { faultsFoundReading } from './body.ts';
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
  const faults = place === 'body' ? faultsFoundReading(data) : [];
  // Schemas recurse: what is too deep for them is judged by its depth alone.
  if (faults.some(({ type }) => type === 'too_deep')) return { error: new Invalid(faults) };
  const parsed = compiled(schema).safeParse(data ?? undefined);
  const issues = [
    ...faults,
    ...(parsed.success ? [] : issuesOf(parsed.error, data, place)),
    ...brokenRules(schema, data).map(({ path, message }) => issue([place, ...path], message)),
  ];
  return parsed.success && issues.length === 0 ? { value: parsed.data } : { error: new Invalid(issues) };
}

const compilations = new WeakMap<z.ZodType, z.ZodType>();

// Generated code judges a large upload in a third of the time; what it refuses is judged again by the schema, for the reasons.
function compiled<Schema extends z.ZodType>(schema: Schema): Schema {
  const known = compilations.get(schema) as Schema | undefined;
  if (known) return known;
  const made = z.compile(schema);
  compilations.set(schema, made);
  return made;
}

const issue = (loc: Issue['loc'], msg: string, type = 'value_error'): Issue => ({ loc, msg, type });

/** The findings of a zod error as issues whose paths start at `place`. */
function issuesOf(error: z.ZodError, data: unknown, place: string): Issue[] {
  return error.issues.map(({ path, message, code }) => {
    const loc = [place, ...path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
    const missing = message === 'Field required' || message.endsWith('received undefined');
    return missing
      ? issue(loc, `Field required${slipAt(path, data)}`, 'missing')
      : issue(loc, message, code === 'custom' ? undefined : code);
  });
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
