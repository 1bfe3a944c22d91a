// Data of whoever has an account: its export, and its erasure, after which the e-mail address does not stand anywhere.
import { randomBytes } from 'node:crypto';
import { OPERATOR } from '../audit/entry.ts';
import { listAudit, pseudonymizeAudit, writeAudit } from '../audit/store.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { deleteInvitations, directedCompetitions, invitedTo, undirected } from './directors-store.ts';
import { deleteAccount, findByEmail, groupsOf, normalizeEmail, webhookUrls } from './store.ts';

/** @throws NotFound when nothing is stored about this address */
export async function exportAccount(deps: Pick<Deps, 'db'>, email: string) {
  return inTransaction(deps.db, async (tx) => {
    const account = await findByEmail(tx, email);
    const address = normalizeEmail(email);
    const entries = await listAudit(tx, { account: address });
    const invitations = await invitedTo(tx, address);
    if (!account && entries.length === 0 && invitations.length === 0) throw nothingAbout(address);
    await writeAudit(tx, OPERATOR, { action: 'account.export', target: address });
    return {
      email: address,
      account: account && {
        id: account.id,
        disabled: account.disabled,
        created_at: account.createdAt,
        groups: await groupsOf(tx, account.id),
        competitions: await directedCompetitions(tx, account.id),
        webhooks: await webhookUrls(tx, account.id),
      },
      invited_to: invitations,
      audit: entries,
    };
  });
}

/**
 * Deletes the account with its groups, its directorships, invitations and webhooks. In the audit a pseudonym takes the place of the address.
 * @returns also the competitions that nobody directs any more: only the country's administrators can change these
 * @throws NotFound when nothing is stored about this address
 */
export async function eraseAccount(deps: Pick<Deps, 'db'>, email: string) {
  return inTransaction(deps.db, async (tx) => {
    const account = await findByEmail(tx, email);
    const address = normalizeEmail(email);
    const directed = account ? await directedCompetitions(tx, account.id) : [];
    if (account) await deleteAccount(tx, account.id);
    const invitations = await deleteInvitations(tx, address);
    const pseudonym = `erased-${randomBytes(6).toString('hex')}`;
    const entries = await pseudonymizeAudit(tx, address, pseudonym);
    if (!account && invitations === 0 && entries === 0) throw nothingAbout(address);
    await writeAudit(tx, OPERATOR, { action: 'account.erase', target: pseudonym });
    return { pseudonym, competitions: directed, without_director: await undirected(tx, directed) };
  });
}

const nothingAbout = (email: string) =>
  new NotFound(`Nothing is stored about ${email}; "account list" shows the accounts there are`);
