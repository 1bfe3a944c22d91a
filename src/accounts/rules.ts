// Rules for what is entered about an account, by its operator or by whoever signs in with it.
import { OperatorError } from '../errors.ts';
import { isCommonPassword } from './common-passwords.ts';
import { canonical, PASSWORD_LENGTH } from './passwords.ts';
import { canonicalGroup } from './permissions.ts';
import { EmailAddress } from './schemas.ts';

/** @throws OperatorError */
export function checkEmail(email: string): void {
  if (EmailAddress.safeParse(email).success) return;
  throw new OperatorError(`${JSON.stringify(email)} is not an e-mail address; use one like name@example.org`);
}

/** @throws OperatorError */
export function checkPassword(password: string, email: string): void {
  const fault = passwordFault(password, email);
  if (fault) throw new OperatorError(`The password ${fault}`);
}

/** Why this cannot be the password of the account, with the remedy; null when it can. Never holds the password. */
export function passwordFault(password: string, email: string): string | null {
  const { min, max } = PASSWORD_LENGTH;
  const length = Array.from(canonical(password)).length;
  if (length < min) return `is too short; use ${min} characters or more`;
  if (password.length > max) return `is too long; use ${max} characters at most`;
  // The sign-in endpoint refuses these, so such an account could never be used.
  if (/\0|\p{Surrogate}/u.test(password)) return 'is not plain text; use letters, digits and signs';
  if (isCommonPassword(canonical(password))) return 'is among the commonest; use one that nobody else has';
  if (isAddress(password, email)) return 'is the address of the account; use another one';
  return null;
}

// With the part before the @ alone, people would still take it for a password.
function isAddress(password: string, email: string): boolean {
  const [sent, address] = [password, email].map((text) => canonical(text).trim().toLowerCase());
  return sent === address || sent === address!.slice(0, address!.lastIndexOf('@'));
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
