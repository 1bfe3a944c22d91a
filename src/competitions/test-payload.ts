// Judges a payload as create would, and stores nothing.
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import type { Issue } from '../errors.ts';
import { newCompetition } from './merge.ts';
import { freeSlug } from './names.ts';
import { toRecord } from './record.ts';
import { requireBorn } from './rules.ts';
import type { CompetitionCreate } from './schemas.ts';
import { findByName, idExists, takenSlugs } from './store.ts';
import { uploadWarnings } from './warnings.ts';

type TestDeps = Pick<Deps, 'reads' | 'now'> & { config: Pick<Config, 'PUBLISH_DATE_OF_BIRTH'> };

/** The record as it would be created, and what the sender may want to look at. @throws Invalid as create does */
export async function testPayload(deps: TestDeps, sent: CompetitionCreate) {
  requireBorn(sent, deps.now());
  const row = newCompetition(sent, sent.id ?? randomUUID());
  const warnings = [
    ...(await storedConflicts(deps, sent, row)),
    ...uploadWarnings(sent, deps.config.PUBLISH_DATE_OF_BIRTH),
  ];
  return { valid: true as const, warnings, competition: toRecord(row) };
}

async function storedConflicts(
  { reads: db }: TestDeps,
  sent: CompetitionCreate,
  row: ReturnType<typeof newCompetition>,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  const warn = (field: string, msg: string, type: string) => issues.push({ loc: ['body', field], msg, type });
  const [duplicate] = await findByName(db, row.nameKey, row.date);
  if (duplicate) warn('full_name', `Same name and date as competition ${duplicate.id}`, 'duplicate');
  if (sent.id && (await idExists(db, sent.id))) warn('id', `The id ${sent.id} is taken`, 'taken');
  const free = freeSlug(row.slug, await takenSlugs(db, row));
  if (free !== row.slug) warn('slug', `The slug ${row.slug} is taken; ${free} is free`, 'taken');
  return issues;
}
