import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { OperatorError } from '../../src/errors.ts';

const PORT = 'must be a whole number from 0 to 65535';
const COUNT = 'must be a whole number of 0 or more';
const FLAG = 'must be true or false (1, yes, on and 0, no, off mean the same)';
const SECRET = 'must have 32 characters or more, or be two such secrets, new and old, separated by a comma';
const MEGABYTES = 'must be a number of megabytes above 0, up to 1024';

const problems = (env: Record<string, string>) => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as OperatorError).message.split('\n');
  }
};

describe('a bad setting is one line that says what was expected', () => {
  it.each([
    ['PORT', 'abc', PORT],
    ['JWT_SECRET', 'x'.repeat(31), SECRET],
    ['JWT_SECRET', `${'x'.repeat(32)},${'y'.repeat(31)}`, SECRET],
    ['JWT_SECRET', `${'x'.repeat(32)},`, SECRET],
    ['JWT_SECRET', Array(3).fill('x'.repeat(32)).join(','), SECRET],
    ['PORT', '3000.5', PORT],
    ['PORT', '-1.5', PORT],
    ['PORT', '65536', PORT],
    ['PORT', '1e400', PORT],
    ['PUSHER_PORT', 'https', PORT],
    ['PUSHER_PUBLIC_PORT', '70000', PORT],
    ['RATE_LIMIT_LOGIN', 'ten', COUNT],
    ['RATE_LIMIT_READ', '-1', COUNT],
    ['CACHE_MB', '0.5', COUNT],
    ['PUSH_MAX_CONNECTIONS', 'many', COUNT],
    ['PUSH_MAX_EVENT_BYTES', '999', 'must be a whole number of 1000 or more'],
    ['BODY_LIMIT_MB', 'large', MEGABYTES],
    ['BODY_LIMIT_MB', '0', MEGABYTES],
    ['BODY_LIMIT_MB', '1025', MEGABYTES],
    ['MAINTENANCE_MODE', 'perhaps', FLAG],
    ['PUSHER_TLS', '2', FLAG],
    ['PUSHER_EMBEDDED', 'ja', FLAG],
    ['BASE_URL', 'results.example.org', 'must be an address such as https://results.example.org'],
    ['DATA_SITE_CASE', 'kebab', 'must be one of snake, camel'],
    ['DEFAULT_LANGUAGE', 'sv', 'must be one of en, de, fr, es, it, nb, pl, el'],
    ['EDGE_CACHE_SECONDS', '1.5', COUNT],
    ['EDGE_CACHE_SECONDS', 'a minute', COUNT],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['PUSHER_SECRET', 'short', 'must have 8 characters or more'],
    ['PUSHER_CLUSTER', 'EU 1', 'may hold small letters, digits and -'],
  ])('%s=%s', (key, value, expected) => {
    expect(problems({ [key]: value })).toEqual([`${key}: ${expected}`]);
  });

  it('and several of them are a line each', () => {
    expect(problems({ PORT: 'abc', MAINTENANCE_MODE: 'perhaps', LOG_LEVEL: 'info' })).toEqual([
      `PORT: ${PORT}`,
      `MAINTENANCE_MODE: ${FLAG}`,
    ]);
  });
});

it.each([
  ['0', 0],
  ['65535', 65_535],
])('a port may be %s', (text, number) => {
  expect(loadConfig({ PORT: text }).PORT).toBe(number);
});

it.each([
  ['TRUE', true],
  ['on', true],
  ['0', false],
  ['no', false],
])('a flag may be %s', (text, value) => {
  expect(loadConfig({ MAINTENANCE_MODE: text }).MAINTENANCE_MODE).toBe(value);
});

it('JWT_SECRET names one secret, or the new one and the old one', () => {
  const [fresh, old] = ['new'.repeat(11), 'old'.repeat(11)];
  expect(loadConfig({ JWT_SECRET: fresh }).JWT_SECRET).toEqual([fresh]);
  expect(loadConfig({ JWT_SECRET: `${fresh}, ${old}` }).JWT_SECRET).toEqual([fresh, old]);
});

it('an address for the owner alone is refused: the service needs one of its own', () => {
  expect(problems({ DATABASE_MIGRATION_URL: 'postgres://owner@localhost/athletics' })).toEqual([
    'DATABASE_MIGRATION_URL: needs DATABASE_URL, the address for the role that the service runs as',
  ]);
});
