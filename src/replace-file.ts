// The replacement of a file: whoever reads it has the old one or the new one, never half of either.
import { rename, utimes, writeFile } from 'node:fs/promises';

type Replacing = {
  /** A name on the same disk, which nobody reads. */
  temporary: string;
  /** In seconds; now when unset. */
  modifiedAt?: number;
  /** Whether it is on the disk before its name is, so that a power cut leaves no empty file. */
  flush?: boolean;
};

export async function replaceFile(
  path: string,
  bytes: Uint8Array | string,
  { temporary, modifiedAt, flush = false }: Replacing,
): Promise<void> {
  await writeFile(temporary, bytes, { flush });
  if (modifiedAt !== undefined) await utimes(temporary, modifiedAt, modifiedAt);
  await rename(temporary, path);
}
