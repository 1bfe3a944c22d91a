// Audit of an upload: how much of what it has changed. One that changes nothing is none.
import type { Doer } from '../audit/entry.ts';
import { writeAudit } from '../audit/store.ts';
import type { Tx } from '../db/client.ts';
import type { UploadPart } from './upload.ts';

export async function auditUpload(
  tx: Tx,
  actor: Doer,
  competition: { id: string; isNew: boolean },
  changed: Record<UploadPart, number>,
): Promise<void> {
  const { id: competitionId, isNew } = competition;
  const detail = Object.fromEntries(Object.entries(changed).filter(([, rows]) => rows > 0));
  const { record: _record, ...nested } = detail;
  const action = Object.keys(nested).length > 0 ? 'competition.upload' : 'competition.update';
  if (Object.keys(detail).length > 0)
    await writeAudit(tx, actor, { action: isNew ? 'competition.create' : action, competitionId, detail });
}
