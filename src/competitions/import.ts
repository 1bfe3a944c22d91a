// Brings a whole competition in: made when it is new, merged into the one that it names when it is there already.
import { randomUUID } from 'node:crypto';
import type { Actor } from '../accounts/permissions.ts';
import type { Executor } from '../db/client.ts';
import type { Deps } from '../deps.ts';
import { createCompetition } from './create.ts';
import { newCompetition } from './merge.ts';
import type { CompetitionRecord } from './record.ts';
import type { CompetitionCreate } from './schemas.ts';
import { findByAddress, idExists } from './store.ts';
import { updateCompetition } from './update.ts';
import { countParts, type OnStored, type UploadPart } from './upload.ts';

export type Imported = {
  result: 'created' | 'updated' | 'unchanged';
  record: CompetitionRecord;
  /** How many rows of each part were written. */
  changed: Record<UploadPart, number>;
};

/**
 * The same import twice changes nothing the second time.
 * @throws what createCompetition and updateCompetition throw, with the same rights
 */
export async function importCompetition(
  deps: Deps,
  actor: Actor,
  sent: CompetitionCreate,
  heard?: OnStored,
): Promise<Imported> {
  const { changed, onStored } = countParts(heard);
  const id = await existingId(deps.db, sent);
  if (id === null)
    return { result: 'created', record: await createCompetition(deps, actor, sent, onStored), changed };
  const record = await updateCompetition(deps, actor, id, sent, { onStored });
  const anything = Object.values(changed).some((rows) => rows > 0);
  return { result: anything ? 'updated' : 'unchanged', record, changed };
}

/** Which competition is meant: the one of its id, else the one at its address. Null for a new one. */
async function existingId(db: Executor, sent: CompetitionCreate): Promise<string | null> {
  if (sent.id) return (await idExists(db, sent.id)) ? sent.id : null;
  // The token says that it is another one than those that look the same.
  if (sent.override_token) return null;
  const wanted = newCompetition(sent, randomUUID());
  const found = await findByAddress(db, wanted);
  if (!found) return null;
  // A slug that we make from the name is nobody's choice: monthly meetings share it and are not one competition.
  const same = found.nameKey === wanted.nameKey && found.date === wanted.date;
  return sent.slug || same ? found.id : null;
}
