// SQL of the audit. Entries are added, and go when they are old enough: a trigger in the database refuses everything else.
import { and, desc, eq, gte, or, sql } from 'drizzle-orm';
import { contentHash } from '../content-hash.ts';
import { packedUpsert } from '../db/bulk.ts';
import type { Db, Executor, Tx } from '../db/client.ts';
import { prepared } from '../db/prepared.ts';
import { retried } from '../db/transaction.ts';
import { audit } from '../db/schema.ts';
import { COMMAND_LINE, type Doer, type Entry } from './entry.ts';

const valuesOf = ({ id, email, origin = COMMAND_LINE }: Doer, entry: Entry) => ({
  accountId: id,
  account: email,
  action: entry.action,
  competitionId: entry.competitionId ?? null,
  target: entry.target ?? null,
  address: origin.address,
  requestId: origin.requestId,
  detail: entry.detail ?? null,
});

/** Adds entries in the transaction of what they tell of. */
export async function writeAudit(tx: Tx, doer: Doer, ...entries: Entry[]): Promise<void> {
  const added = await packedUpsert(
    audit,
    entries.map((entry) => valuesOf(doer, entry)),
  );
  if (added) await tx.execute(added);
}

type CountedValues = [
  accountId: string | null,
  account: string | null,
  action: string,
  competitionId: string | null,
  target: string | null,
  address: string,
  requestId: string | null,
  detail: string | null,
  counted: string,
  times: number,
];

// Written out: a crowd of refused sign-ins runs it, and what builds it costs the readers more than what it does.
const addCounted = prepared<CountedValues, object>(
  'count_audit',
  `insert into audit
      (account_id, account, action, competition_id, target, address, request_id, detail, counted, count)
    values ($1::uuid, $2, $3, $4::uuid, $5, $6, $7, $8::jsonb,
      $9::text || ' ' || extract(epoch from date_trunc('minute', now())), $10::int)
    on conflict (counted) do update set count = audit.count + excluded.count`,
);

/** The same, where it may happen over and over: the same from the same address within a minute is counted in one entry. */
export async function countAudit(db: Executor, doer: Doer, entry: Entry, times = 1): Promise<void> {
  const values = valuesOf(doer, entry);
  const { requestId, account, ...same } = values;
  await addCounted(
    db,
    values.accountId,
    account,
    values.action,
    values.competitionId,
    values.target,
    values.address,
    requestId,
    values.detail && JSON.stringify(values.detail),
    contentHash(JSON.stringify(same)),
    times,
  );
}

export type AuditFilter = {
  since?: Date | undefined;
  account?: string | undefined;
  competitionId?: string | undefined;
};

/** The newest entries that match, oldest first. An account matches as who did it and as whom it was done to. */
export async function listAudit(
  db: Executor,
  { since, account, competitionId }: AuditFilter,
  limit?: number,
) {
  const query = db
    .select({
      id: audit.id,
      at: audit.at,
      account: audit.account,
      action: audit.action,
      competitionId: audit.competitionId,
      target: audit.target,
      address: audit.address,
      requestId: audit.requestId,
      count: audit.count,
      detail: audit.detail,
    })
    .from(audit)
    .where(
      and(
        since && gte(audit.at, since),
        account === undefined ? undefined : or(eq(audit.account, account), eq(audit.target, account)),
        competitionId === undefined ? undefined : eq(audit.competitionId, competitionId),
      ),
    )
    .orderBy(desc(audit.id));
  const rows = await (limit === undefined ? query : query.limit(limit));
  return rows.toReversed();
}

/** Forgets what is older than 400 days, by the clock of the database. @returns how many entries */
export async function purgeAudit(db: Db): Promise<number> {
  const { rowCount } = await retried(() =>
    // Raw: the database's own clock, which the trigger asks too.
    db.delete(audit).where(sql`${audit.at} < now() - interval '400 days'`),
  );
  return rowCount ?? 0;
}

/** Puts a pseudonym in the place of an e-mail address, and takes out the network addresses of whoever had it. */
export async function pseudonymizeAudit(tx: Tx, email: string, pseudonym: string): Promise<number> {
  const did = await tx
    .update(audit)
    .set({ account: pseudonym, address: null })
    .where(eq(audit.account, email));
  const suffered = await tx.update(audit).set({ target: pseudonym }).where(eq(audit.target, email));
  return (did.rowCount ?? 0) + (suffered.rowCount ?? 0);
}
