// Puts an account into a group or takes it out; effective with its next request. Both may be repeated.
import type { Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { checkGroup } from './rules.ts';
import { deleteGroup, insertGroup, lookUp } from './store.ts';

type Membership = { email: string; group: string };

export function grantGroup(deps: Pick<Deps, 'db'>, input: Membership): Promise<Membership> {
  return change(deps, input, insertGroup);
}

export function revokeGroup(deps: Pick<Deps, 'db'>, input: Membership): Promise<Membership> {
  return change(deps, input, deleteGroup);
}

function change(
  deps: Pick<Deps, 'db'>,
  input: Membership,
  write: (tx: Tx, accountId: string, group: string) => Promise<void>,
): Promise<Membership> {
  const group = checkGroup(input.group);
  return inTransaction(deps.db, async (tx) => {
    const { id, email } = await lookUp(tx, input.email);
    await write(tx, id, group);
    return { email, group };
  });
}
