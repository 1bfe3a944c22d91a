// SQL of directors, the accounts that may change one competition, and of those who are invited to be.
import { and, asc, eq, notExists, sql } from 'drizzle-orm';
import { among } from '../db/among.ts';
import { packedUpsert } from '../db/bulk.ts';
import type { Executor, Tx } from '../db/client.ts';
import { accounts, competitionDirectors, competitions, directorInvitations } from '../db/schema.ts';
import { holdUsable, normalizeEmail } from './store.ts';

// Raw: an array of a subquery has no builder.
/** In a query of competitions: the ids of the directors of each. */
export const directorIds = sql<
  string[]
>`array(select account_id::text from ${competitionDirectors} where competition_id = ${competitions.id})`;

export async function addDirector(tx: Tx, competitionId: string, accountId: string): Promise<void> {
  await tx.insert(competitionDirectors).values({ competitionId, accountId }).onConflictDoNothing();
}

/**
 * Makes exactly these the directors. An address without an account that may be used is kept as an invitation: whoever sets
 * directors does not learn which addresses have one.
 */
export async function replaceDirectors(tx: Tx, competitionId: string, emails: string[]): Promise<void> {
  const wanted = [...new Set(emails.map(normalizeEmail))];
  const usable = await holdUsable(tx, wanted);
  const directing = new Set(usable.map(({ email }) => email));
  const invited = wanted.filter((email) => !directing.has(email));
  await tx.delete(competitionDirectors).where(eq(competitionDirectors.competitionId, competitionId));
  await tx.delete(directorInvitations).where(eq(directorInvitations.competitionId, competitionId));
  for (const { id } of usable) await addDirector(tx, competitionId, id);
  await invite(
    tx,
    invited.map((email) => ({ competitionId, email })),
  );
}

/** The addresses of those who direct it and of those who are invited to, in order and not told apart. */
export async function directorEmails(db: Executor, competitionId: string): Promise<string[]> {
  const directing = await db
    .select({ email: accounts.email })
    .from(competitionDirectors)
    .innerJoin(accounts, eq(accounts.id, competitionDirectors.accountId))
    .where(eq(competitionDirectors.competitionId, competitionId));
  const invited = await db
    .select({ email: directorInvitations.email })
    .from(directorInvitations)
    .where(eq(directorInvitations.competitionId, competitionId));
  return [...new Set([...directing, ...invited].map(({ email }) => email))].toSorted();
}

type Invited = { id: string; email: string };

/** Makes the account a director wherever its address is invited. */
export async function acceptInvitations(tx: Tx, { id, email }: Invited): Promise<void> {
  const accepted = await tx
    .delete(directorInvitations)
    .where(eq(directorInvitations.email, email))
    .returning({ competitionId: directorInvitations.competitionId });
  const directed = accepted.map(({ competitionId }) => ({ competitionId, accountId: id }));
  const statement = await packedUpsert(competitionDirectors, directed);
  if (statement) await tx.execute(statement);
}

/** The other way round: wherever the account is a director, its address is invited. */
export async function suspendDirector(tx: Tx, { id, email }: Invited): Promise<void> {
  const directed = await tx
    .delete(competitionDirectors)
    .where(eq(competitionDirectors.accountId, id))
    .returning({ competitionId: competitionDirectors.competitionId });
  await invite(
    tx,
    directed.map(({ competitionId }) => ({ competitionId, email })),
  );
}

async function invite(tx: Tx, invitations: { competitionId: string; email: string }[]): Promise<void> {
  const statement = await packedUpsert(directorInvitations, invitations);
  if (statement) await tx.execute(statement);
}

/** The address of the account that made the competition; null when nobody knows. */
export async function creatorEmail(db: Executor, competitionId: string): Promise<string | null> {
  const [row] = await db
    .select({ email: accounts.email })
    .from(competitions)
    .innerJoin(accounts, eq(accounts.id, competitions.createdBy))
    .where(eq(competitions.id, competitionId));
  return row?.email ?? null;
}

/** Ids of the competitions that the account directs. */
export async function directedCompetitions(db: Executor, accountId: string): Promise<string[]> {
  const rows = await db
    .select({ id: competitionDirectors.competitionId })
    .from(competitionDirectors)
    .where(eq(competitionDirectors.accountId, accountId))
    .orderBy(asc(competitionDirectors.competitionId));
  return rows.map(({ id }) => id);
}

/** Ids of the competitions to which this address is invited. */
export async function invitedTo(db: Executor, email: string): Promise<string[]> {
  const rows = await db
    .select({ id: directorInvitations.competitionId })
    .from(directorInvitations)
    .where(eq(directorInvitations.email, email))
    .orderBy(asc(directorInvitations.competitionId));
  return rows.map(({ id }) => id);
}

/** @returns how many there were */
export async function deleteInvitations(tx: Tx, email: string): Promise<number> {
  const { rowCount } = await tx.delete(directorInvitations).where(eq(directorInvitations.email, email));
  return rowCount ?? 0;
}

/** Those of these competitions that nobody directs. */
export async function undirected(db: Executor, ids: string[]): Promise<string[]> {
  const directing = db
    .select({ id: competitionDirectors.accountId })
    .from(competitionDirectors)
    .where(eq(competitionDirectors.competitionId, competitions.id));
  const rows = await db
    .select({ id: competitions.id })
    .from(competitions)
    .where(and(among(competitions.id, ids), notExists(directing)))
    .orderBy(asc(competitions.id));
  return rows.map(({ id }) => id);
}
