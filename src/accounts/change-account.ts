// Gives an account another password, shuts it out, or lets it in again.
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { hashPassword } from './passwords.ts';
import { checkPassword } from './rules.ts';
import { lookUp, updateAccount } from './store.ts';

/** Sets the password. Tokens already given out stay valid until they expire; disabling the account stops those. */
export async function setPassword(
  deps: Pick<Deps, 'db'>,
  input: { email: string; password: string },
): Promise<{ email: string }> {
  checkPassword(input.password);
  return change(deps, input.email, { passwordHash: await hashPassword(input.password) });
}

/** Disables or enables. A disabled account can get no token, and the tokens it has stop at once. */
export async function setDisabled(
  deps: Pick<Deps, 'db'>,
  input: { email: string; disabled: boolean },
): Promise<{ email: string; disabled: boolean }> {
  const { email } = await change(deps, input.email, { disabled: input.disabled });
  return { email, disabled: input.disabled };
}

function change(
  deps: Pick<Deps, 'db'>,
  accountEmail: string,
  values: { passwordHash: string } | { disabled: boolean },
): Promise<{ email: string }> {
  return inTransaction(deps.db, async (tx) => {
    const { id, email } = await lookUp(tx, accountEmail);
    await updateAccount(tx, id, values);
    return { email };
  });
}
