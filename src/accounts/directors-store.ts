// SQL of directors: the accounts that may change one competition.
import { asc, eq, sql } from 'drizzle-orm';
import type { Executor, Tx } from '../db/client.ts';
import { accounts, competitionDirectors, competitions } from '../db/schema.ts';

// Raw: an array of a subquery has no builder.
/** In a query of competitions: the ids of the directors of each. */
export const directorIds = sql<
  string[]
>`array(select account_id::text from ${competitionDirectors} where competition_id = ${competitions.id})`;

export async function addDirector(tx: Tx, competitionId: string, accountId: string): Promise<void> {
  await tx.insert(competitionDirectors).values({ competitionId, accountId }).onConflictDoNothing();
}

/** Makes exactly these accounts the directors. */
export async function replaceDirectors(tx: Tx, competitionId: string, accountIds: string[]): Promise<void> {
  await tx.delete(competitionDirectors).where(eq(competitionDirectors.competitionId, competitionId));
  for (const accountId of accountIds) await addDirector(tx, competitionId, accountId);
}

export async function directorEmails(db: Executor, competitionId: string): Promise<string[]> {
  const rows = await db
    .select({ email: accounts.email })
    .from(competitionDirectors)
    .innerJoin(accounts, eq(accounts.id, competitionDirectors.accountId))
    .where(eq(competitionDirectors.competitionId, competitionId))
    .orderBy(asc(accounts.email));
  return rows.map(({ email }) => email);
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
