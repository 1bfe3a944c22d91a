// Creates a competition, with its competitors, events and results when they are sent along: one transaction, all or nothing.
import { randomUUID } from 'node:crypto';
import { addDirector } from '../accounts/directors-store.ts';
import { type Actor, adminOf, mayCreate } from '../accounts/permissions.ts';
import type { Tx } from '../db/client.ts';
import { violatedUnique } from '../db/sqlstate.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Conflict, Forbidden } from '../errors.ts';
import { auditUpload } from './audit-upload.ts';
import { type Identity, issueOverrideToken, lockIdentity, redeemOverrideToken } from './duplicates-store.ts';
import { newCompetition } from './merge.ts';
import { freeSlug } from './names.ts';
import { type CompetitionRecord, toPublicRecord, toRecord } from './record.ts';
import { requireBorn } from './rules.ts';
import type { CompetitionCreate } from './schemas.ts';
import {
  type CompetitionRow,
  findByName,
  idExists,
  insertCompetition,
  takenSlugs,
  updateCompetitionRow,
} from './store.ts';
import { countParts, type OnStored, uploadNested } from './upload.ts';

type CreateDeps = Pick<Deps, 'db' | 'now'>;
type Created = { row: CompetitionRow } | { refusal: Conflict };

/**
 * @returns the record of the new competition
 * @throws Forbidden without the country's group; Conflict for a duplicate (with a token), a taken id or a taken slug
 */
export async function createCompetition(
  deps: CreateDeps,
  actor: Actor,
  sent: CompetitionCreate,
  onStored?: OnStored,
): Promise<CompetitionRecord> {
  if (!mayCreate(actor, sent.country_id))
    throw new Forbidden(`Creating a competition needs ADMIN_${sent.country_id}`);
  requireBorn(sent, deps.now());
  try {
    const created = await inTransaction(
      deps.db,
      (tx) => create(tx, deps, actor, { sent, onStored }),
      `${sent.date} ${sent.full_name}`,
    );
    if ('refusal' in created) throw created.refusal;
    return toRecord(created.row);
  } catch (error) {
    throw nameClash(error) ?? error;
  }
}

// The refusal of a duplicate commits: its token has to be there when the client comes back with it.
async function create(
  tx: Tx,
  deps: CreateDeps,
  actor: Actor,
  { sent, onStored: heard }: { sent: CompetitionCreate; onStored: OnStored | undefined },
): Promise<Created> {
  const row = newCompetition(sent, sent.id ?? randomUUID());
  const now = deps.now();
  await lockIdentity(tx, row);
  const duplicates = await findByName(tx, row.nameKey, row.date);
  const complaint = duplicates.length > 0 ? await override(tx, sent.override_token, row, now) : null;
  if (complaint) {
    const matching = duplicates.map((one) =>
      adminOf(actor, one.countryId) ? toRecord(one) : toPublicRecord(one),
    );
    const own = duplicates.findLast((one) => isJustMade(one, actor, now));
    return { refusal: await duplicateRefusal(tx, row, { matching, complaint, own, now }) };
  }
  const placed = await placeFor(tx, sent, row, duplicates.length > 0);
  // Nobody sees the row before its revision, which is taken with those of its units: the push lock comes last.
  const inserted = await insertCompetition(tx, {
    ...placed,
    revision: 0,
    createdBy: actor.id,
    createdAt: now,
    updatedAt: now,
  });
  await addDirector(tx, inserted.id, actor.id);
  const { changed, onStored } = countParts(heard);
  onStored('record', 1);
  const revision = await uploadNested(tx, inserted, sent, {
    recordChanged: true,
    moved: false,
    now,
    onStored,
  });
  await auditUpload(tx, actor, { id: inserted.id, isNew: true }, changed);
  return { row: await updateCompetitionRow(tx, inserted.id, { revision: revision! }) };
}

const DUPLICATE = 'A competition with the same name and date already exists';

async function override(tx: Tx, token: string | null | undefined, identity: Identity, now: Date) {
  return token ? redeemOverrideToken(tx, token, identity, now) : DUPLICATE;
}

// Who did not hear what became of a create sends it again, as programs do by themselves.
const JUST_MS = 60_000;
const isJustMade = ({ createdBy, createdAt }: CompetitionRow, actor: Actor, now: Date): boolean =>
  createdBy === actor.id && now.getTime() - createdAt.getTime() < JUST_MS;

type Refused = {
  matching: CompetitionRecord[];
  complaint: string;
  /** The one that this account made a moment ago. */
  own: CompetitionRow | undefined;
  now: Date;
};

async function duplicateRefusal(
  tx: Tx,
  identity: Identity,
  { matching, complaint, own, now }: Refused,
): Promise<Conflict> {
  const why = complaint === DUPLICATE ? complaint : `${DUPLICATE}. ${complaint}; here is a fresh one`;
  const error = own ? `${why}. This account created ${own.id} a moment ago` : why;
  return new Conflict(error, {
    error,
    override_token: await issueOverrideToken(tx, identity, now),
    // Spelled as published.
    mathing_competitions: matching,
  });
}

/** The id and slug to use. With an override the client resends the same payload, so taken ones are replaced, not refused. */
async function placeFor(
  tx: Tx,
  sent: CompetitionCreate,
  row: ReturnType<typeof newCompetition>,
  overridden: boolean,
): Promise<ReturnType<typeof newCompetition>> {
  const idTaken = sent.id != null && (await idExists(tx, sent.id));
  if (idTaken && !overridden) throw new Conflict(`A competition with the id ${sent.id} already exists`);
  const slug = freeSlug(row.slug, await takenSlugs(tx, row));
  if (slug !== row.slug && !overridden) throw slugTaken(row.slug, slug);
  if (!idTaken && slug === row.slug) return row;
  return newCompetition({ ...sent, slug }, idTaken ? randomUUID() : row.id);
}

/** The path of a new competition. */
export const locationOf = ({ id }: CompetitionRecord): string => `/api/v1/competitions/${id}`;

export const slugTaken = (slug: string, free: string) =>
  new Conflict(`The slug ${slug} is taken in that country and year; ${free} is free`);

/** What a lost race for an id or a slug means to the client. */
export function nameClash(error: unknown): Conflict | undefined {
  const constraint = violatedUnique(error);
  if (constraint === 'competitions_address')
    return new Conflict('The slug was taken a moment ago; choose another');
  return constraint === 'competitions_pkey'
    ? new Conflict('The id was taken a moment ago; choose another')
    : undefined;
}
