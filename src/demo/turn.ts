// The turn to play the meeting: of several demos on one data folder, one at a time has it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type DatabaseUrl, urlNow } from '../db/client.ts';
import { LOCKS } from '../db/locks.ts';
import { trySessionLock } from '../db/session-lock.ts';

const RETRY_MS = 1000;

/**
 * Waits until this process is the one that plays; a killed process gives its turn back by losing its connection.
 * @returns how to give it back; undefined when the signal came first
 */
export async function takeTurn(
  url: DatabaseUrl,
  { onWait, signal }: { onWait: () => void; signal: AbortSignal },
): Promise<(() => Promise<void>) | undefined> {
  const client = new Client({ connectionString: urlNow(url) });
  client.on('error', () => {});
  await client.connect();
  for (let tries = 0; !signal.aborted; tries += 1) {
    if (await trySessionLock(client, LOCKS.demo)) return () => client.end();
    // The lock of a process that was killed a moment ago is still there at the first try.
    if (tries === 2) onWait();
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
  }
  await client.end();
  return undefined;
}
