// SQL of accounts and their groups.
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Executor, Tx } from '../db/client.ts';
import { prepared } from '../db/prepared.ts';
import { accountGroups, accounts } from '../db/schema.ts';
import { NotFound } from '../errors.ts';
import type { Actor } from './permissions.ts';

// Raw: an array of a subquery has no builder.
const groupNames = sql<string[]>`array(
  select group_name from ${accountGroups} where account_id = ${accounts.id} order by group_name)`;

/** An e-mail address as it is stored and looked up: letter case and surrounding space never make another account. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The account's id, or null when the e-mail address is taken. */
export async function insertAccount(
  tx: Tx,
  account: { email: string; passwordHash: string },
): Promise<string | null> {
  const [row] = await tx
    .insert(accounts)
    .values({ ...account, email: normalizeEmail(account.email) })
    .onConflictDoNothing()
    .returning({ id: accounts.id });
  return row?.id ?? null;
}

export async function findByEmail(db: Executor, email: string) {
  const [row] = await db
    .select()
    .from(accounts)
    .where(eq(accounts.email, normalizeEmail(email)));
  return row ?? null;
}

/** As findByEmail, for operators: a missing account is refused. */
export async function lookUp(db: Executor, email: string) {
  const account = await findByEmail(db, email);
  if (!account) {
    throw new NotFound(`There is no account ${normalizeEmail(email)}; "account list" shows those there are`);
  }
  return account;
}

// One parameter, however many ask, so that the statement stays the same.
const actorsOf = prepared<[ids: string[]], Actor>(
  'actors_of',
  `select id, email, array(
      select group_name from account_groups where account_id = accounts.id order by group_name
    ) as groups
    from accounts where id = any($1::uuid[]) and not disabled`,
);

/** Accounts with their groups, by id; those that are missing or disabled are not among them. */
export async function loadActors(db: Executor, ids: string[]): Promise<Map<string, Actor>> {
  const rows = await actorsOf(db, ids);
  return new Map(rows.map((actor) => [actor.id, actor]));
}

export async function loadActor(db: Executor, id: string): Promise<Actor | null> {
  return (await loadActors(db, [id])).get(id) ?? null;
}

export async function listAccounts(db: Executor) {
  return db
    .select({
      email: accounts.email,
      groups: groupNames,
      disabled: accounts.disabled,
      createdAt: accounts.createdAt,
    })
    .from(accounts)
    .orderBy(asc(accounts.email));
}

export async function insertGroup(tx: Tx, accountId: string, groupName: string): Promise<void> {
  await tx.insert(accountGroups).values({ accountId, groupName }).onConflictDoNothing();
}

export async function deleteGroup(tx: Tx, accountId: string, groupName: string): Promise<void> {
  await tx
    .delete(accountGroups)
    .where(and(eq(accountGroups.accountId, accountId), eq(accountGroups.groupName, groupName)));
}

export async function updateAccount(
  tx: Tx,
  accountId: string,
  change: { passwordHash: string } | { disabled: boolean },
): Promise<void> {
  await tx.update(accounts).set(change).where(eq(accounts.id, accountId));
}

/** The ids behind e-mail addresses, by normalised address; unknown ones are missing. */
export async function findAccountIds(db: Executor, emails: string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ email: accounts.email, id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.email, emails.map(normalizeEmail)));
  return new Map(rows.map(({ email, id }) => [email, id]));
}
