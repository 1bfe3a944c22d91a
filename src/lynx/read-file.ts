// One of the files for photo-finish programs, made of what is stored.
import { numberEvents } from '../competitions/number-events.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { encodeText, type FileEncoding } from '../exchange/text-encoding.ts';
import { type LynxFile, lynxFile } from './start-lists.ts';
import { readStartLists } from './store.ts';

/** @throws NotFound */
export async function readLynxFile(
  deps: Pick<Deps, 'db' | 'reads'>,
  id: string,
  { file, encoding }: { file: LynxFile; encoding: FileEncoding },
): Promise<Buffer> {
  await numberEvents(deps, id);
  const lists = await inSnapshot(deps.reads, (tx) => readStartLists(tx, id));
  return encodeText(lynxFile(lists, file), encoding);
}
