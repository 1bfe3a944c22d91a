// Gives an account another password, shuts it out, or lets it in again: what its operator does. Each ends its tokens at once.
import { type Action, OPERATOR } from '../audit/entry.ts';
import { writeAudit } from '../audit/store.ts';
import type { Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { acceptInvitations, suspendDirector } from './directors-store.ts';
import { hashPassword } from './passwords.ts';
import { checkPassword } from './rules.ts';
import { lookUp, updateAccount } from './store.ts';

/** Sets the password; the tokens already given out end. */
export async function setPassword(
  deps: Pick<Deps, 'db'>,
  input: { email: string; password: string },
): Promise<{ email: string }> {
  checkPassword(input.password, input.email);
  const passwordHash = hashPassword(input.password);
  return change(deps, input.email, 'account.password', (tx, { id }) =>
    updateAccount(tx, id, { passwordHash }),
  );
}

/**
 * Disables or enables. A disabled account can get no token, and the tokens it has stop at once: enabling does not revive them.
 * It directs nothing; where it did, it is as one who is invited, and does again when it is enabled.
 */
export async function setDisabled(
  deps: Pick<Deps, 'db'>,
  input: { email: string; disabled: boolean },
): Promise<{ email: string; disabled: boolean }> {
  const { disabled } = input;
  const action = disabled ? 'account.disable' : 'account.enable';
  const { email } = await change(deps, input.email, action, async (tx, account) => {
    await updateAccount(tx, account.id, { disabled });
    await (disabled ? suspendDirector : acceptInvitations)(tx, account);
  });
  return { email, disabled };
}

function change(
  deps: Pick<Deps, 'db'>,
  accountEmail: string,
  action: Action,
  write: (tx: Tx, account: { id: string; email: string }) => Promise<void>,
): Promise<{ email: string }> {
  return inTransaction(deps.db, async (tx) => {
    const { id, email } = await lookUp(tx, accountEmail);
    await write(tx, { id, email });
    await writeAudit(tx, OPERATOR, { action, target: email });
    return { email };
  });
}
