// Work that only one process does at a time, however many there are.
import { Client } from 'pg';

/** Runs `work` while holding a session advisory lock on a connection of its own, which it may use; waits for the lock. */
export async function withSessionLock<Result>(
  url: string,
  lock: number,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString: url,
    application_name: 'athletics-data-service lock',
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection loses the lock and fails the next query; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1, 0)', [lock]);
    return await work(client);
  } finally {
    await client.end();
  }
}
