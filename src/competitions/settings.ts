// A competition's management settings: whether it pushes, and who directs it.
import { creatorEmail, directorEmails, replaceDirectors } from '../accounts/directors-store.ts';
import { normalizeEmail } from '../accounts/store.ts';
import { type Actor, adminOf, mayEdit } from '../accounts/permissions.ts';
import type { Entry } from '../audit/entry.ts';
import { writeAudit } from '../audit/store.ts';
import type { Executor, Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { takeRevisions, tellFeed } from '../push/enqueue.ts';
import type { Settings, SettingsUpdate } from './schemas.ts';
import { lockCompetition, pushTurnedOn, updateCompetitionRow } from './store.ts';

/** @throws NotFound */
export async function readSettings(db: Executor, id: string): Promise<Settings> {
  const push = await pushTurnedOn(db, id);
  if (push === null) throw new NotFound(`No competition ${id}`);
  return { push_notifications: push, directors: await directorEmails(db, id) };
}

/**
 * Changes what was sent. Turning push on or off publishes nothing by itself; it is a new revision, for pages say whether updates
 * come by themselves.
 * @throws NotFound, Forbidden
 */
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
      const before = await directorEmails(tx, id);
      if (sent.directors) {
        if (!adminOf(actor, access.countryId)) await keepCreator(tx, id, sent.directors);
        await replaceDirectors(tx, id, sent.directors);
      }
      const pushNotifications = sent.push_notifications ?? row.pushNotifications;
      const turned = pushNotifications !== row.pushNotifications;
      const [revision = row.revision] = await takeRevisions(tx, id, turned ? 1 : 0);
      // Also when only directors change: a save from what a process remembers of the competition must see that it is another row.
      await updateCompetitionRow(tx, id, { pushNotifications, revision });
      if (turned) await tellFeed(tx, id);
      const settings = await readSettings(tx, id);
      await writeAudit(
        tx,
        actor,
        ...entriesOf(id, { push_notifications: row.pushNotifications, directors: before }, settings),
      );
      return settings;
    },
    id,
  );
}

const without = (some: string[], others: string[]) => some.filter((email) => !others.includes(email));

function entriesOf(competitionId: string, before: Settings, after: Settings): Entry[] {
  const { push_notifications } = after;
  const added = without(after.directors, before.directors);
  const removed = without(before.directors, after.directors);
  return [
    ...(push_notifications === before.push_notifications
      ? []
      : [{ action: 'competition.settings' as const, competitionId, detail: { push_notifications } }]),
    ...added.map((target) => ({ action: 'director.add' as const, competitionId, target })),
    ...removed.map((target) => ({ action: 'director.remove' as const, competitionId, target })),
  ];
}

export function authorizeSettings(actor: Actor, access: { countryId: string; directorIds: string[] }): void {
  if (!mayEdit(actor, access)) {
    throw new Forbidden(`The settings need ADMIN_${access.countryId} or being a director of the competition`);
  }
}

// By address, so that it makes no difference whether the creator's account may still be used.
async function keepCreator(tx: Tx, id: string, sent: string[]): Promise<void> {
  const creator = await creatorEmail(tx, id);
  if (creator === null || sent.some((email) => normalizeEmail(email) === creator)) return;
  if (!(await directorEmails(tx, id)).includes(creator)) return;
  throw new Forbidden(
    "Whoever created the competition stays a director; the country's administrators may change that",
  );
}
