import { beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('@node-rs/argon2', { spy: true });
// A test before this one may have read them without the spies.
vi.resetModules();
const { hashSync: argon2, parseOptions, verifySync: verify } = await import('@node-rs/argon2');
const { hashPassword, isOutdated, verifyPassword } = await import('../../src/accounts/passwords.ts');
const { passwordFault } = await import('../../src/accounts/rules.ts');

beforeEach(() => {
  vi.mocked(verify).mockClear();
});

describe('passwords', () => {
  it('the right password matches its hash, another does not', async () => {
    const hash = hashPassword('correct horse');
    expect(hash).toMatch(/^\$argon2id\$/);
    expect(verifyPassword(hash, 'correct horse')).toBe(true);
    expect(verifyPassword(hash, 'Correct horse')).toBe(false);
    expect(verifyPassword(hash, '')).toBe(false);
  });

  it('the same password never has the same hash twice', async () => {
    expect(hashPassword('correct horse')).not.toBe(hashPassword('correct horse'));
  });

  it('without a hash a verification of the same cost still runs, and fails', async () => {
    const hash = hashPassword('correct horse');
    expect(verifyPassword(null, 'correct horse')).toBe(false);
    expect(verify).toHaveBeenCalledOnce();
    expect(parseOptions(vi.mocked(verify).mock.calls[0]![0])).toEqual(parseOptions(hash));
  });

  it('a password longer than the limit fails at the same cost, whatever it begins with', async () => {
    const hash = hashPassword('x'.repeat(1000));
    expect(verifyPassword(hash, 'x'.repeat(1000))).toBe(true);
    expect(verifyPassword(hash, 'x'.repeat(1001))).toBe(false);
    expect(verifyPassword(hashPassword(''), 'x'.repeat(1001))).toBe(false);
    expect(verify).toHaveBeenCalledTimes(3);
  });

  it('an accented letter is the same typed as one character or as two', async () => {
    expect(verifyPassword(hashPassword('caf\u00e9 noir'), 'cafe\u0301 noir')).toBe(true);
  });
});

const fault = (password: string) => passwordFault(password, 'anna.lindqvist@example.org');

describe('a new password', () => {
  it('of twelve characters that nobody else has is taken, whatever they are', () => {
    for (const password of [
      'ein Satz, 12',
      'кукушка поёт',
      '🏃🏃🏃🏃🏃🏃🐢🏃🏃🏃🏃🏅',
      'x1'.repeat(300) + 'end',
    ]) {
      expect(fault(password)).toBeNull();
    }
  });

  it.each([
    ['eleven char', 'too short'],
    ['🏃🐢🏅🥇🏟', 'too short'],
    ['e\u0301'.repeat(7) + 'abcd', 'too short'],
    ['ab1!'.repeat(250) + '?', 'too long'],
    ['correct horse\0battery', 'not plain text'],
    ['correct horse \ud800', 'not plain text'],
    ['password1234', 'commonest'],
    ['PassWordPassword', 'commonest'],
    ['1qaz2wsx3edc', 'commonest'],
    ['qwerty 123456', 'commonest'],
    ['aaaaaaaaaaaaaaa', 'commonest'],
    ['1212121212121', 'commonest'],
    ['             ', 'commonest'],
    ['anna.lindqvist@example.org', 'the address'],
    [' Anna.Lindqvist@Example.org', 'the address'],
    ['anna.lindqvist', 'the address'],
  ])('%j is refused: %s', (password, reason) => {
    expect(fault(password)).toContain(reason);
  });

  it('is hashed with the parameters of today, and a hash made with others is recognised', async () => {
    expect(isOutdated(hashPassword('correct horse'))).toBe(false);
    expect(isOutdated(argon2('correct horse', { memoryCost: 8192, timeCost: 3, parallelism: 1 }))).toBe(true);
  });
});
