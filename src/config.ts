// The environment, parsed once. Only main, cli and demo hand process.env in; everything else receives the result.
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { validate } from 'node-cron';
import { z } from 'zod';
import { OperatorError } from './errors.ts';
import { LANGUAGES } from './languages.ts';

const flag = z.stringbool({
  truthy: ['true', '1', 'yes', 'on'],
  falsy: ['false', '0', 'no', 'off'],
  error: 'must be true or false (1, yes, on and 0, no, off mean the same)',
});
const port = wholeNumber({ min: 0, max: 65535 });
const count = wholeNumber({ min: 0 });
const bodyLimit = 'must be a number of megabytes above 0, up to 1024';
const PROXIES =
  'must be true, false, a number of proxies, or their addresses (10.0.0.1, 10.0.0.0/8, loopback)';
const publicUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://results.example.org' })
  .transform((url) => url.replace(/\/+$/, ''));

const databaseAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must look like postgres://user:password@host:5432/database');

const secrets = z
  .string()
  .transform(parts)
  .refine(
    (list) => list.length <= 2 && list.every((secret) => secret.length >= 32),
    'must have 32 characters or more, or be two such secrets, new and old, separated by a comma',
  )
  .transform(([newest, ...older]): [newest: string, ...older: string[]] => [newest!, ...older]);

const environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(3000),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./.data')
    .transform((path) => resolve(path)),
  DATABASE_URL: databaseAddress.optional(),
  DATABASE_MIGRATION_URL: databaseAddress.optional(),
  DATABASE_POOL_SIZE: wholeNumber({ min: 2, max: 1000 }).default(10),
  BASE_URL: publicUrl.optional(),
  ENVIRONMENT: z.string().min(1).default('local'),
  JWT_SECRET: secrets.optional(),
  PUSHER_APP_ID: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'may hold letters, digits, _ and -')
    .optional(),
  PUSHER_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'may hold letters, digits, _ and -')
    .optional(),
  PUSHER_SECRET: z.string().min(8, 'must have 8 characters or more').optional(),
  PUSHER_CLUSTER: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'may hold small letters, digits and -')
    .default('eu'),
  PUSHER_HOST: z.string().min(1).optional(),
  PUSHER_PORT: port.optional(),
  PUSHER_TLS: flag.optional(),
  PUSHER_PUBLIC_HOST: z.string().min(1).optional(),
  PUSHER_PUBLIC_PORT: port.optional(),
  PUSHER_PUBLIC_TLS: flag.optional(),
  PUSHER_EMBEDDED: flag.optional(),
  PUSH_MAX_EVENT_BYTES: wholeNumber({ min: 1000 }).optional(),
  PUSH_MAX_CONNECTIONS: count.default(10_000),
  PUSH_MAX_CONNECTIONS_PER_ADDRESS: count.default(5000),
  STATIC_DIR: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
  CALENDAR_GROUP: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]*$/i, 'may hold letters, digits, _ and -')
    .default('euroath'),
  CALENDAR_CRON: z
    .string()
    .refine((text) => validate(text), 'must be a cron expression such as 0 2 * * *')
    .default('0 2 * * *'),
  CALENDAR_TIMEZONE: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Europe/London')
    .default('Europe/London'),
  MAINTENANCE_MODE: flag.default(false),
  DATA_SITE_CASE: oneOf(['snake', 'camel']).default('snake'),
  DEFAULT_LANGUAGE: oneOf(LANGUAGES).default('en'),
  EDGE_CACHE_SECONDS: count.default(0),
  CHANGES_RETENTION_DAYS: wholeNumber({ min: 1, max: 3650 }).default(30),
  WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  CACHE_MB: count.default(256),
  BODY_LIMIT_MB: z.coerce.number(bodyLimit).positive(bodyLimit).max(1024, bodyLimit).default(64),
  PUBLISH_DATE_OF_BIRTH: flag.default(false),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((list) => parts(list).filter(Boolean)),
  RATE_LIMIT_LOGIN: count.default(10),
  RATE_LIMIT_WRITE: count.default(1200),
  RATE_LIMIT_READ: count.default(0),
  TRUST_PROXY: z.string().default('false').refine(isTrustProxy, PROXIES).transform(trustProxy),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** The push application: one identity shared by publisher, embedded server and clients. */
export type PushApp = { id: string; key: string; secret: string };

/** The parsed environment: one property per key of .env.example, plus what follows from several of them. */
export type Config = z.output<typeof environment> & {
  staticDir: string;
  embeddedPush: boolean;
  /** The configured push application; null when the service makes one up. */
  pushApp: PushApp | null;
  pushMaxEventBytes: number;
  /** CACHE_MB, divided: documents as they are sent, frames of whole competitions, units as their last saves left them. */
  cacheBytes: { documents: number; frames: number; units: number };
};

/**
 * Parses the environment. A key set to the empty string counts as unset (docker-compose passes those on).
 * @throws OperatorError with one line per bad key
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(present);
  const problems = parsed.success ? crossChecks(parsed.data) : problemsOf(parsed.error);
  if (!parsed.success || problems.length) throw new OperatorError(problems.join('\n'));
  const embeddedPush = parsed.data.PUSHER_EMBEDDED ?? parsed.data.PUSHER_APP_ID === undefined;
  const hosted = !embeddedPush && parsed.data.PUSHER_HOST === undefined;
  const cacheBytes = parsed.data.CACHE_MB * 1024 * 1024;
  return {
    ...parsed.data,
    staticDir: parsed.data.STATIC_DIR ?? join(parsed.data.DATA_DIR, 'static'),
    embeddedPush,
    pushApp: configuredPushApp(parsed.data),
    pushMaxEventBytes: parsed.data.PUSH_MAX_EVENT_BYTES ?? (hosted ? 10_000 : 250_000),
    cacheBytes: { documents: cacheBytes * 0.72, frames: cacheBytes * 0.25, units: cacheBytes * 0.03 },
  };
}

/** One for each key: what breaks several rules at once breaks one expectation. */
function problemsOf({ issues }: z.ZodError): string[] {
  return [...new Set(issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))];
}

function configuredPushApp(env: z.output<typeof environment>): PushApp | null {
  const [id, key, secret] = [env.PUSHER_APP_ID, env.PUSHER_KEY, env.PUSHER_SECRET];
  return id && key && secret ? { id, key, secret } : null;
}

function crossChecks(env: z.output<typeof environment>): string[] {
  const problems: string[] = [];
  if (env.DATABASE_URL && !env.JWT_SECRET) {
    problems.push(
      'JWT_SECRET: required with DATABASE_URL, 32 characters or more (try: openssl rand -hex 32)',
    );
  }
  if (env.DATABASE_MIGRATION_URL && !env.DATABASE_URL) {
    problems.push(
      'DATABASE_MIGRATION_URL: needs DATABASE_URL, the address for the role that the service runs as',
    );
  }
  const identity = [env.PUSHER_APP_ID, env.PUSHER_KEY, env.PUSHER_SECRET].filter(
    (value) => value !== undefined,
  );
  if (identity.length !== 0 && identity.length !== 3) {
    problems.push('PUSHER_APP_ID: set PUSHER_APP_ID, PUSHER_KEY and PUSHER_SECRET together, or none of them');
  }
  if (env.PUSHER_EMBEDDED === false && identity.length === 0) {
    problems.push(
      'PUSHER_EMBEDDED: false needs PUSHER_APP_ID, PUSHER_KEY and PUSHER_SECRET of the push service',
    );
  }
  return problems;
}

function wholeNumber({ min, max }: { min: number; max?: number }) {
  const expected = `must be a whole number ${max === undefined ? `of ${min} or more` : `from ${min} to ${max}`}`;
  return z.coerce
    .number(expected)
    .int(expected)
    .min(min, expected)
    .max(max ?? Number.MAX_SAFE_INTEGER, expected);
}

function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

function parts(list: string): string[] {
  return list.split(',').map((part) => part.trim());
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isTrustProxy(text: string): boolean {
  if (/^(true|yes|on|false|no|off|\d+)$/i.test(text)) return true;
  return text.split(',').every((one) => {
    const [address = '', bits, ...rest] = one.trim().split('/');
    if (NAMED_NETWORKS.has(one.trim())) return true;
    const mask =
      bits === undefined ||
      isIP(bits) !== 0 ||
      (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128));
    return isIP(address) !== 0 && mask && rest.length === 0;
  });
}

// Fastify takes a boolean, a number of hops or a list of addresses.
function trustProxy(text: string): boolean | number | string {
  if (/^(true|yes|on)$/i.test(text)) return true;
  if (/^(false|no|off|0)$/i.test(text)) return false;
  return /^\d+$/.test(text) ? Number(text) : text;
}
