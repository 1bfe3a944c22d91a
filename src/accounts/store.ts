// SQL of accounts and their groups.
import { and, asc, eq, sql } from 'drizzle-orm';
import { among } from '../db/among.ts';
import type { Executor, Tx } from '../db/client.ts';
import { anyArray, prepared } from '../db/prepared.ts';
import { accountGroups, accounts, webhooks } from '../db/schema.ts';
import { NotFound } from '../errors.ts';
import type { Actor } from './permissions.ts';

/** An account that may act, and which tokens of it are good: those that carry this epoch. */
export type Bearer = Actor & { tokenEpoch: number };

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

/** What a sign-in is held against. */
export type Credentials = Pick<
  typeof accounts.$inferSelect,
  'id' | 'email' | 'passwordHash' | 'disabled' | 'tokenEpoch'
>;

const credentialsOf = prepared<[email: string], Credentials>(
  'credentials_of',
  `select id, email, password_hash as "passwordHash", disabled, token_epoch as "tokenEpoch"
    from accounts where email = $1`,
);

/** Those of the account of this name, or null. */
export async function findCredentials(db: Executor, email: string): Promise<Credentials | null> {
  const [row] = await credentialsOf(db, normalizeEmail(email));
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
const actorsOf = prepared<[ids: string[]], Bearer>(
  'actors_of',
  `select id, email, token_epoch as "tokenEpoch", array(
      select group_name from account_groups where account_id = accounts.id order by group_name
    ) as groups
    from accounts where id = any(${anyArray(1, 'uuid')}) and not disabled`,
);

/** Accounts with their groups, by id; those that are missing or disabled are not among them. */
export async function loadActors(db: Executor, ids: string[]): Promise<Map<string, Bearer>> {
  const rows = await actorsOf(db, ids);
  return new Map(rows.map((actor) => [actor.id, actor]));
}

export async function loadActor(db: Executor, id: string): Promise<Bearer | null> {
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

export async function groupsOf(db: Executor, accountId: string): Promise<string[]> {
  const [row] = await db.select({ groups: groupNames }).from(accounts).where(eq(accounts.id, accountId));
  return row?.groups ?? [];
}

/** Where the account has itself called. */
export async function webhookUrls(db: Executor, accountId: string): Promise<string[]> {
  const rows = await db.select({ url: webhooks.url }).from(webhooks).where(eq(webhooks.accountId, accountId));
  return rows.map(({ url }) => url);
}

/** With everything that refers to it: groups, directorships, addresses, remembered requests, webhooks. */
export async function deleteAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.delete(accounts).where(eq(accounts.id, accountId));
}

export async function insertGroup(tx: Tx, accountId: string, groupName: string): Promise<void> {
  await tx.insert(accountGroups).values({ accountId, groupName }).onConflictDoNothing();
}

export async function deleteGroup(tx: Tx, accountId: string, groupName: string): Promise<void> {
  await tx
    .delete(accountGroups)
    .where(and(eq(accountGroups.accountId, accountId), eq(accountGroups.groupName, groupName)));
}

/** Changes the account, and ends the tokens given out before, on every replica. */
export async function updateAccount(
  tx: Tx,
  accountId: string,
  change: { passwordHash?: string; disabled?: boolean },
): Promise<void> {
  const tokenEpoch = sql`${accounts.tokenEpoch} + 1`;
  await tx
    .update(accounts)
    .set({ ...change, tokenEpoch })
    .where(eq(accounts.id, accountId));
}

/** Puts a hash in the place of another of the same password; nothing when the password has changed meanwhile. */
export async function replaceHash(db: Executor, accountId: string, from: string, to: string): Promise<void> {
  await db
    .update(accounts)
    .set({ passwordHash: to })
    .where(and(eq(accounts.id, accountId), eq(accounts.passwordHash, from)));
}

/** The account's password hash, held against other writers; null when it is disabled or gone. */
export async function lockHash(tx: Tx, accountId: string): Promise<string | null> {
  const [row] = await tx
    .select({ passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), eq(accounts.disabled, false)))
    .for('update');
  return row?.passwordHash ?? null;
}

/** Of these addresses, the accounts that may be used; nobody disables them before the transaction ends. */
export async function holdUsable(tx: Tx, emails: string[]): Promise<{ id: string; email: string }[]> {
  return tx
    .select({ id: accounts.id, email: accounts.email })
    .from(accounts)
    .where(and(among(accounts.email, emails), eq(accounts.disabled, false)))
    .orderBy(asc(accounts.id))
    .for('share');
}
