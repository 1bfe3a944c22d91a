import { sql } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../helpers/db.ts';

// The process counts its statements: here it begins anew, whatever other files have sent.
vi.resetModules();
const { connect } = await import('../../src/db/client.ts');

const database = await createTestDatabase();
const db = connect(database.url, () => {}, 1);
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

async function prepared(like: string): Promise<number> {
  const { rows } = await db.$client.query(
    `select statement from pg_prepared_statements where statement like '%${like}%'`,
  );
  return rows.length;
}

const twice = async (value: string) => {
  const { rows } = await db.execute<{ twice: number }>(sql`select 2 * ${value}::int as twice -- recurring`);
  return rows[0]!.twice;
};
const select = (name: string) => db.execute(sql`select ${1}::int as ${sql.raw(name)}`);

test('a statement that comes again is prepared, and answers as before, also after one that failed', async () => {
  expect(await twice('1')).toBe(2);
  expect(await prepared('recurring')).toBe(0);
  for (const value of ['2', '3', '4']) expect(await twice(value)).toBe(2 * Number(value));
  await expect(twice('no number')).rejects.toThrow('Failed query');
  expect(await twice('5')).toBe(10);
  expect(await prepared('recurring')).toBe(1);
});

test('statements made for one occasion are not, and never more than a hundred are', async () => {
  for (let n = 0; n < 20; n++) await select(`once_${n}`);
  expect(await prepared('once_')).toBe(0);
  for (let n = 0; n < 120; n++) {
    for (let time = 0; time < 4; time++) await select(`often_${n}`);
  }
  expect(await prepared('often_')).toBeGreaterThan(50);
  expect(await prepared('')).toBeLessThanOrEqual(100);
});
