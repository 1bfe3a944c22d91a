// Rules for what an operator enters about an account. Refusals are one line each and name the remedy.
import { z } from 'zod';
import { OperatorError } from '../errors.ts';
import { PASSWORD_LENGTH } from './passwords.ts';
import { canonicalGroup } from './permissions.ts';

const EmailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(z.regexes.unicodeEmail)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u);

export function checkEmail(email: string): void {
  if (EmailAddress.safeParse(email).success) return;
  throw new OperatorError(`${JSON.stringify(email)} is not an e-mail address; use one like name@example.org`);
}

export function checkPassword(password: string): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min)
    throw new OperatorError(`The password is too short; use ${min} characters or more`);
  if (password.length > max)
    throw new OperatorError(`The password is too long; use ${max} characters at most`);
  // The sign-in endpoint refuses these, so such an account could never be used.
  if (/\0|\p{Surrogate}/u.test(password)) {
    throw new OperatorError('The password is not plain text; use letters, digits and signs');
  }
}

/** The canonical name of a group, e.g. ADMIN_DEU for admin_ger. */
export function checkGroup(name: string): string {
  const group = canonicalGroup(name);
  if (group) return group;
  const problem = /^ADMIN_/i.test(name) ? 'names no known country' : 'is not a group of this service';
  throw new OperatorError(
    `Group ${JSON.stringify(name)} ${problem}; use ADMIN_ and a country code, like ADMIN_GBR`,
  );
}
