// Documents that are too large for memory, as streams with the tag of what they are made from.
import type { Db, Executor } from '../db/client.ts';
import type { Streamed } from '../http/cached-json.ts';
import type { Encoding } from '../http/encoding.ts';
import { createSnapshotStreams } from '../snapshot-streams.ts';
import { RENDER_VERSION } from '../units/saving/record.ts';
import type { Text } from './documents/definition.ts';
import type { Style } from './documents/style.ts';

export type Wanted = { version: string; style: Style; encoding: Encoding; madeFor: string | undefined };

/** @param connections of the database, of which one is left to others */
export function createStreamedDocuments(db: Db, connections: number) {
  const stream = createSnapshotStreams(db, connections);

  async function open(wanted: Wanted, read: (from: Executor) => Promise<Text | null>) {
    const opened = await stream(wanted.encoding, read);
    return opened && { etag: etagOf({ ...wanted, version: opened.revision }), body: opened.body };
  }

  return (wanted: Wanted, read: (from: Executor) => Promise<Text | null>): Streamed => ({
    etag: etagOf(wanted),
    encoding: wanted.encoding,
    open: () => open(wanted, read),
  });
}

// Of all that the text depends on but the program, whose new versions show at the next save.
function etagOf({ version, style, madeFor }: Wanted): string {
  const parts = [version, RENDER_VERSION, style.naming, style.publishDateOfBirth && 'dob', madeFor];
  return `W/"${parts.filter(Boolean).join('.')}"`;
}
