// Makes an account. There is no sign-up page: operators do this.
import { OPERATOR } from '../audit/entry.ts';
import { writeAudit } from '../audit/store.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Conflict } from '../errors.ts';
import { acceptInvitations } from './directors-store.ts';
import { hashPassword } from './passwords.ts';
import { checkEmail, checkGroup, checkPassword } from './rules.ts';
import { insertAccount, insertGroup, normalizeEmail } from './store.ts';

export async function createAccount(
  deps: Pick<Deps, 'db'>,
  input: { email: string; password: string; groups: string[] },
): Promise<{ id: string; email: string; groups: string[] }> {
  checkEmail(input.email);
  checkPassword(input.password, input.email);
  const groups = [...new Set(input.groups.map(checkGroup))].toSorted();
  const email = normalizeEmail(input.email);
  const passwordHash = hashPassword(input.password);
  return inTransaction(deps.db, async (tx) => {
    const id = await insertAccount(tx, { email, passwordHash });
    if (!id) throw new Conflict(`There is an account ${email} already; use grant or password to change it`);
    for (const group of groups) await insertGroup(tx, id, group);
    await acceptInvitations(tx, { id, email });
    const detail = { groups: groups.join(' ') };
    await writeAudit(tx, OPERATOR, { action: 'account.create', target: email, detail });
    return { id, email, groups };
  });
}
