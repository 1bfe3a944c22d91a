import { beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('@node-rs/argon2', { spy: true });
// A test before this one may have read them without the spies.
vi.resetModules();
const { hash: argon2, parseOptions, verify } = await import('@node-rs/argon2');
const { hashPassword, isOutdated, verifyPassword } = await import('../../src/accounts/passwords.ts');
const { passwordFault } = await import('../../src/accounts/rules.ts');

beforeEach(() => {
  vi.mocked(verify).mockClear();
});

describe('passwords', () => {
  it('the right password matches its hash, another does not', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatch(/^\$argon2id\$/);
    expect(await verifyPassword(hash, 'correct horse')).toBe(true);
    expect(await verifyPassword(hash, 'Correct horse')).toBe(false);
    expect(await verifyPassword(hash, '')).toBe(false);
  });

  it('the same password never has the same hash twice', async () => {
    expect(await hashPassword('correct horse')).not.toBe(await hashPassword('correct horse'));
  });

  it('without a hash a verification of the same cost still runs, and fails', async () => {
    const hash = await hashPassword('correct horse');
    expect(await verifyPassword(null, 'correct horse')).toBe(false);
    expect(verify).toHaveBeenCalledOnce();
    expect(parseOptions(vi.mocked(verify).mock.calls[0]![0])).toEqual(parseOptions(hash));
  });

  it('a password longer than the limit fails at the same cost, whatever it begins with', async () => {
    const hash = await hashPassword('x'.repeat(1000));
    expect(await verifyPassword(hash, 'x'.repeat(1000))).toBe(true);
    expect(await verifyPassword(hash, 'x'.repeat(1001))).toBe(false);
    expect(await verifyPassword(await hashPassword(''), 'x'.repeat(1001))).toBe(false);
    expect(verify).toHaveBeenCalledTimes(3);
  });

  it('an accented letter is the same typed as one character or as two', async () => {
    expect(await verifyPassword(await hashPassword('caf\u00e9 noir'), 'cafe\u0301 noir')).toBe(true);
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
    expect(isOutdated(await hashPassword('correct horse'))).toBe(false);
    expect(isOutdated(await argon2('correct horse', { memoryCost: 8192, timeCost: 3, parallelism: 1 }))).toBe(
      true,
    );
  });
});
