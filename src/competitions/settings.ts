// A competition's management settings: whether it pushes, and who directs it.
import { directorEmails, replaceDirectors } from '../accounts/directors-store.ts';
import { findAccountIds, normalizeEmail } from '../accounts/store.ts';
import { type Actor, mayEdit } from '../accounts/permissions.ts';
import type { Executor } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Forbidden, Invalid, NotFound } from '../errors.ts';
import type { Settings, SettingsUpdate } from './schemas.ts';
import { lockCompetition, pushTurnedOn, updateCompetitionRow } from './store.ts';

/** @throws NotFound */
export async function readSettings(db: Executor, id: string): Promise<Settings> {
  const push = await pushTurnedOn(db, id);
  if (push === null) throw new NotFound(`No competition ${id}`);
  return { push_notifications: push, directors: await directorEmails(db, id) };
}

/** Changes what was sent; turning push on publishes nothing by itself. @throws NotFound, Forbidden, Invalid */
export async function updateSettings(
  deps: Deps,
  actor: Actor,
  id: string,
  sent: SettingsUpdate,
): Promise<Settings> {
  return inTransaction(
    deps.db,
    async (tx) => {
      const { row, access } = await lockCompetition(tx, id);
      authorizeSettings(actor, access);
      if (sent.directors) await replaceDirectors(tx, id, await accountsOf(tx, sent.directors));
      // Also when only directors change: a save from what a process remembers of the competition must see that it is another row.
      await updateCompetitionRow(tx, id, {
        pushNotifications: sent.push_notifications ?? row.pushNotifications,
      });
      return readSettings(tx, id);
    },
    id,
  );
}

export function authorizeSettings(actor: Actor, access: { countryId: string; directorIds: string[] }): void {
  if (!mayEdit(actor, access)) {
    throw new Forbidden(`The settings need ADMIN_${access.countryId} or being a director of the competition`);
  }
}

async function accountsOf(db: Executor, emails: string[]): Promise<string[]> {
  const found = await findAccountIds(db, emails);
  const unknown = emails.flatMap((email, index) => {
    if (found.has(normalizeEmail(email))) return [];
    return [{ loc: ['body', 'directors', index], msg: `No account ${email}`, type: 'value_error' }];
  });
  if (unknown.length) throw new Invalid(unknown);
  return [...new Set(found.values())];
}
