// Password hashing: argon2id with the parameters of the OWASP cheat sheet (19 MiB, 2 passes, 1 lane). It keeps the thread that
// calls it for a while: the server asks one that has nothing else to do (hash-thread.ts).
import { hashSync, verifySync } from '@node-rs/argon2';

// The library's default algorithm is argon2id; its Algorithm type is an ambient enum that cannot be named here.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const BEGINNING = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`;

// Hash of 32 random bytes nobody kept, made with PARAMETERS. A sign-in for an unknown account is verified against it, so
// that the time an answer takes does not tell which accounts exist.
const NOBODY = `${BEGINNING}IE/5TgmyYqWTCE//xHZQ7w$cj7LqGlOrhZbPRxEU7FKuQso7fxgCwDifL8EjpsY4s0`;

export const PASSWORD_LENGTH = { min: 12, max: 1000 };

export function hashPassword(password: string): string {
  return hashSync(canonical(password), PARAMETERS);
}

/** Whether the password belongs to the hash. Null has none, and takes as long as a wrong password. */
export function verifyPassword(passwordHash: string | null, password: string): boolean {
  const tooLong = password.length > PASSWORD_LENGTH.max;
  const matches = verifySync(passwordHash ?? NOBODY, tooLong ? '' : canonical(password));
  return matches && passwordHash !== null && !tooLong;
}

/** Whether the hash was made with other parameters than those of today. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(BEGINNING);
}

/** One keyboard composes an accented letter, another sends letter and accent: the same password (RFC 8265, 4.2). */
export function canonical(password: string): string {
  return password.normalize('NFC');
}
