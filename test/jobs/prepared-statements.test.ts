import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { prepared, unprepared } from '../../src/db/prepared.ts';
import { createTestDatabase } from '../helpers/db.ts';

const database = await createTestDatabase();
const db = connect(database.url, () => {}, 1);
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const namesOfPrepared = async () => {
  const { rows } = await db.$client.query<{ name: string }>('select name from pg_prepared_statements');
  return rows.map(({ name }) => name);
};

const product = prepared<[one: unknown, other: unknown], { product: number; square: number }>(
  'product_of',
  'select $1::int * $2::int as product, $1::int * $1::int as square',
);
const without = unprepared<[name: string | null], { name: string }>(
  `select name from (values ('a'), ('b')) row (name) where $1::text is null or name <> $1`,
);

test('a statement is prepared once per connection, and answers as before after one that failed', async () => {
  expect(await namesOfPrepared()).toEqual([]);
  expect(await product(db, 2, 3)).toEqual([{ product: 6, square: 4 }]);
  await expect(product(db, 'no number', 3)).rejects.toThrow('invalid input syntax');
  expect(await product(db, 4, 5)).toEqual([{ product: 20, square: 16 }]);
  expect(await namesOfPrepared()).toEqual(['product_of']);
});

test('a transaction prepares nothing, and gets the same answers', async () => {
  const before = await namesOfPrepared();
  const other = prepared<[array: string[]], { array: string[] }>(
    'in_transaction',
    'select $1::text[] as array',
  );
  await db.transaction(async (tx) => {
    expect(await product(tx, 2, 3)).toEqual([{ product: 6, square: 4 }]);
    expect(await other(tx, ['a', 'b'])).toEqual([{ array: ['a', 'b'] }]);
    expect(await without(tx, 'a')).toEqual([{ name: 'b' }]);
  });
  expect(await namesOfPrepared()).toEqual(before);
});

test('neither are statements whose plan depends on their values, nor those of the query builder', async () => {
  const before = await namesOfPrepared();
  for (let time = 0; time < 6; time++) {
    expect(await without(db, null)).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(await without(db, 'b')).toEqual([{ name: 'a' }]);
    expect((await db.execute(sql`select ${time}::int as time`)).rows).toEqual([{ time }]);
  }
  expect(await namesOfPrepared()).toEqual(before);
});
