// A process that uses the embedded Postgres of the folder it is given, and does what its parent says.
import { Client } from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/db/embedded/postgres.ts';

export type Order = { insert: string } | { insertForever: true } | { count: true } | { stop: true };
export type Report =
  | { starting: true }
  | { logged: string }
  | { ready: string }
  | { refused: { name: string; message: string } }
  | { inserted: string }
  | { count: number }
  | { stopped: true };

const tell = (report: Report) => process.send?.(report);
const log = pino({ level: 'info' }, { write: (line) => void tell({ logged: line }) });
tell({ starting: true });
const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log }).catch(
  (error: Error) => {
    tell({ refused: { name: error.name, message: error.message } });
    process.exit(1);
  },
);

async function query(text: string, values: string[] = []): Promise<{ n: number }[]> {
  const client = new Client({ connectionString: postgres.ownerUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<{ n: number }>(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const insert = async (name: string) => {
  await query('insert into rows values ($1)', [name]);
  tell({ inserted: name });
};

async function stop(): Promise<void> {
  await postgres.stop();
  tell({ stopped: true });
  process.disconnect();
}

async function obey(order: Order): Promise<void> {
  if ('insert' in order) await insert(order.insert);
  if ('insertForever' in order) for (let n = 0; ; n += 1) await insert(`forever ${n}`);
  if ('count' in order) tell({ count: (await query('select count(*)::int as n from rows'))[0]?.n ?? -1 });
  if ('stop' in order) await stop();
}

process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => void obey(order));
// What a server does at Ctrl-C: it finishes what it is doing, then it stops.
process.on('SIGINT', () => void insert('after the signal').then(stop));
await query('create table if not exists rows (name text)').catch(() => query('select from rows limit 1'));
tell({ ready: postgres.ownerUrl });
