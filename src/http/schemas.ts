// Scalars of the API's dialect: liberal in what is read, exact in what is written. Request schemas of the features are made of these.
import { z } from 'zod';
import { answer, type AnsweredHeader } from './headers.ts';

const numberAsText = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : value;

/** For `z.preprocess`: the number that a text is; white space alone counts as null. */
export const textAsNumber = (value: unknown) => {
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (trimmed === '') return null;
  return trimmed.length <= NUMBER_LENGTH && NUMBER.test(trimmed) ? Number(trimmed) : value;
};

// Each character is looked at once: digits that two parts of a pattern may take are tried in every division between them.
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
// A double needs 17 digits; some exports fill up with zeros.
const NUMBER_LENGTH = 40;

/** For `z.preprocess`: text of white space alone counts as null. */
export const blankAsNull = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? null : value;

/** For `z.preprocess`: an empty parameter of a query counts as missing. */
export const blankAsAbsent = (value: unknown) => (value === '' ? undefined : value);

const isHttpUrl = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

const isRealDay = (value: string) => {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(value)) return false;
  const [year, month, day] = value.split('-').map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
};

// Thirty days hath September …: without a Date, of which an upload would make thousands.
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Text or a number written as text, up to `max` characters. */
export const text = (max: number) => z.preprocess(numberAsText, z.string().max(max));

/** Text that may be missing, null or empty. */
export const optionalText = (max: number) =>
  z.preprocess(numberAsText, z.string().max(max).nullable()).optional();

/** Text that must hold something else than white space. */
export const requiredText = (max: number) =>
  z.preprocess(
    numberAsText,
    z
      .string()
      .max(max)
      .refine((value) => value.trim() !== '', 'Field required'),
  );

/** An integer or its digits; missing, null and "" mean absent. */
export const optionalInteger = (min: number, max: number) =>
  z.preprocess(textAsNumber, z.int().min(min).max(max).nullable()).optional();

export const integer = (min: number, max: number) => z.preprocess(textAsNumber, z.int().min(min).max(max));

/** A finite number or its text; missing, null and "" mean absent. */
export const optionalNumber = (min: number, max: number) =>
  z.preprocess(textAsNumber, z.number().min(min).max(max).nullable()).optional();

// There is no minus zero.
const threeDecimals = (value: number) => Math.round(value * 1000) / 1000 + 0;

// What arithmetic leaves of 0.3 (0.30000000000000004) is meant as 0.3.
const asMeant = (value: unknown) =>
  typeof value === 'number' && Math.abs(value - threeDecimals(value)) < 1e-9 ? threeDecimals(value) : value;

/** A number of up to three decimals or its text; missing, null and "" mean absent. */
export const optionalDecimal = (min: number, max: number) =>
  z
    .preprocess(
      (value) => asMeant(textAsNumber(value)),
      z
        .number()
        .min(min)
        .max(max)
        .refine((value) => threeDecimals(value) === value, 'May have up to three decimals')
        .nullable(),
    )
    .optional();

/** YYYY-MM-DD of a day that exists. */
export const day = z
  .string()
  .refine(isRealDay, 'Must be a real date, YYYY-MM-DD')
  .meta({ format: 'date', example: '2026-07-18' });

export const optionalDay = z.preprocess(blankAsNull, day.nullable()).optional();

/** An absolute http or https address. */
export const optionalLink = z
  .preprocess(
    blankAsNull,
    z.string().max(2000).refine(isHttpUrl, 'Must be an http or https address').nullable(),
  )
  .optional();

/** Any UUID, whatever its version, in lower case. */
export const guid = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
  z.guid('Must be a UUID'),
);

export const optionalGuid = z.preprocess(blankAsNull, guid.nullable()).optional();

/** An array of texts. */
export const textList = (max: number, items: number) => z.array(text(max)).max(items);

/** What a list of too many is refused with. */
/** A list that may be missing or null, of up to `max` items; `holder` takes no more, and `remedy` says what then. */
export const optionalList = <Item extends z.ZodType>(
  item: Item,
  { max, holder, remedy }: { max: number; holder: string; remedy: string },
) =>
  z
    .array(item)
    .max(max, tooMany(max, holder, remedy))
    .nullish();

const tooMany = (max: number, holder: string, remedy: string) =>
  `More than the ${max.toLocaleString('en')} that ${holder} takes: ${remedy}`;

const MAX_EXTRA_BYTES = 65_536;

// Strings and numbers are the common case and cost nothing to measure.
const isSmall = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value).length <= MAX_EXTRA_BYTES
    : typeof value !== 'string' || value.length <= MAX_EXTRA_BYTES;

const extraField = z
  .unknown()
  .refine(isSmall, `Unknown fields may hold up to ${MAX_EXTRA_BYTES} characters each`);

/** An object that keeps fields beyond the known ones, up to a size. */
export const openObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape).catchall(extraField);

/** A fault that no single field shows; `path` leads to it inside the body. */
export type Fault = { path: (string | number)[]; message: string };
type Rules = (body: unknown) => Iterable<Fault>;

const rulesOf = new WeakMap<z.ZodType, Rules>();

/**
 * Gives a body schema rules across its fields. They see the body as sent and run whatever the schema finds: zod's own
 * refinements are skipped when a field is missing, and a client shall see every fault in one answer.
 */
export function withRules<Schema extends z.ZodType>(rules: Rules, schema: Schema): Schema {
  rulesOf.set(schema, rules);
  return schema;
}

export const brokenRules = (schema: z.ZodType, body: unknown): Iterable<Fault> =>
  rulesOf.get(schema)?.(body) ?? [];

const ProblemIssue = z
  .object({
    loc: z
      .array(z.union([z.string(), z.number()]))
      .meta({ example: ['body', 'events', 3, 'units', 0, 'heat'] }),
    msg: z.string(),
    type: z.string(),
  })
  .meta({ id: 'Issue' });

/** What is acceptable, but may not be meant. */
export const Warning = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});

/** Body of every refusal: a text, or for validation the list of all faults. */
export const Problem = z
  .object({ detail: z.union([z.string(), z.array(ProblemIssue)]) })
  .meta({ id: 'Problem', description: 'What was wrong; validation lists every fault with its path' });

const MEANINGS: Record<number, string> = {
  400: 'Malformed JSON or request',
  401: 'No token, or one that is not valid (any more)',
  403: 'Signed in, but without the right',
  404: 'No such thing',
  409: 'Contradicts what is stored',
  410: 'Was there once; snapshot says where to begin anew',
  412: 'The If-Match header names an older revision',
  413: 'Body too large',
  415: 'Body is not JSON',
  422: 'Validation failed; every fault is listed with its path',
  429: 'Too many requests; see Retry-After',
  503: 'Temporarily unavailable; see Retry-After',
};

const REFUSAL_HEADERS: Record<number, AnsweredHeader[]> = {
  401: ['WWW-Authenticate'],
  412: ['ETag'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Response declarations of a route's refusals, for its `schema.response`; any route may be unavailable. */
export function refusals<Code extends number>(...codes: Code[]) {
  const declared = [...codes, 503].map((code) => [
    code,
    answer(Problem, MEANINGS[code] ?? 'Refused', REFUSAL_HEADERS[code]),
  ]);
  return Object.fromEntries(declared) as Record<Code | 503, typeof Problem>;
}
