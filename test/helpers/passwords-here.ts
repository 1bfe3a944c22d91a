// Passwords hashed where they are asked for: for tests of what is done with them.
import type { Passwords } from '../../src/accounts/hash-thread.ts';
import { hashPassword, verifyPassword } from '../../src/accounts/passwords.ts';

export const passwordsHere = (): Passwords => ({
  hash: async (...asked) => hashPassword(...asked),
  verify: async (...asked) => verifyPassword(...asked),
});
