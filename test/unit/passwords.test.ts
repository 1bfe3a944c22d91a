import { parseOptions, verify } from '@node-rs/argon2';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/accounts/passwords.ts';

vi.mock('@node-rs/argon2', { spy: true });

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
    const hash = await hashPassword('x'.repeat(1024));
    expect(await verifyPassword(hash, 'x'.repeat(1024))).toBe(true);
    expect(await verifyPassword(hash, 'x'.repeat(1025))).toBe(false);
    expect(await verifyPassword(await hashPassword(''), 'x'.repeat(1025))).toBe(false);
    expect(verify).toHaveBeenCalledTimes(3);
  });

  it('an accented letter is the same typed as one character or as two', async () => {
    expect(await verifyPassword(await hashPassword('caf\u00e9 noir'), 'cafe\u0301 noir')).toBe(true);
  });
});
