// Checks a name and password. Unknown account, wrong password and disabled account look alike and take equally long.
import type { Deps } from '../deps.ts';
import { Unauthenticated } from '../errors.ts';
import { verifyPassword } from './passwords.ts';
import { findByEmail } from './store.ts';

/** The id of the account that may be given a token. */
export async function signIn(
  deps: Pick<Deps, 'reads'>,
  input: { username: string; password: string },
): Promise<string> {
  const account = await findByEmail(deps.reads, input.username);
  const matches = await verifyPassword(account?.passwordHash ?? null, input.password);
  if (!account || !matches || account.disabled) throw new Unauthenticated('Incorrect e-mail or password');
  return account.id;
}
