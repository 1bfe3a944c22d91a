// Puts an account into a group or takes it out; effective with its next request. Both may be repeated.
import { OPERATOR } from '../audit/entry.ts';
import { writeAudit } from '../audit/store.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { checkGroup } from './rules.ts';
import { deleteGroup, insertGroup, lookUp } from './store.ts';

type Membership = { email: string; group: string };

export function grantGroup(deps: Pick<Deps, 'db'>, input: Membership): Promise<Membership> {
  return change(deps, input, 'grant');
}

export function revokeGroup(deps: Pick<Deps, 'db'>, input: Membership): Promise<Membership> {
  return change(deps, input, 'revoke');
}

function change(deps: Pick<Deps, 'db'>, input: Membership, verb: 'grant' | 'revoke'): Promise<Membership> {
  const group = checkGroup(input.group);
  return inTransaction(deps.db, async (tx) => {
    const { id, email } = await lookUp(tx, input.email);
    await (verb === 'grant' ? insertGroup : deleteGroup)(tx, id, group);
    await writeAudit(tx, OPERATOR, { action: `account.${verb}`, target: email, detail: { group } });
    return { email, group };
  });
}
