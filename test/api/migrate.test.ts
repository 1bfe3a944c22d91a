import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { createEmptyDatabase, createTestDatabase } from '../helpers/db.ts';
import { runSql } from '../helpers/sql.ts';

const TABLES = `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;

test('two processes that migrate an empty database at the same moment both succeed', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  await Promise.all([migrate(database.url), migrate(database.url)]);
  const names = (await runSql(database.url, TABLES)).map((row) => row['name']);
  expect(names).toContain('competitions');
  expect(names).toContain('outbox');
});

test('migrating again changes nothing', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const before = await runSql(database.url, TABLES);
  await migrate(database.url);
  expect(await runSql(database.url, TABLES)).toEqual(before);
});

test('the outbox is swept by the number of its dead rows', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const [row] = await runSql(database.url, `select reloptions from pg_class where relname = 'outbox'`);
  expect(row?.['reloptions']).toContain('autovacuum_vacuum_threshold=1000');
});

test('databases copied at the same moment are separate', async () => {
  const databases = await Promise.all(Array.from({ length: 6 }, createTestDatabase));
  onTestFinished(async () => {
    await Promise.all(databases.map((database) => database.drop()));
  });
  expect(new Set(databases.map((database) => database.url)).size).toBe(6);
  await Promise.all(
    databases.map((database) => runSql(database.url, `insert into service_secrets values ('name', 'value')`)),
  );
});
