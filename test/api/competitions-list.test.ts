import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';

const api = await startTestApp();
afterAll(api.close);

const admin = await api.as('ADMIN_GBR', 'ADMIN_DEU', 'ADMIN_XKX');
const reader = await api.as();
const COMPETITIONS = [
  ['Winter', 'GBR', '2025-12-31', '2026-01-02'],
  ['Spring', 'DEU', '2026-04-01', '2026-04-01'],
  ['Camp', 'GBR', '2026-04-01', '2026-04-10'],
  ['Highland', 'SCO', '2026-04-05', '2026-04-05'],
  ['Last', 'XKX', '2026-12-31', '2026-12-31'],
] as const;
for (const [full_name, country_id, date, finish_date] of COMPETITIONS) {
  await admin.post('/api/v1/competitions/', { full_name, country_id, date, finish_date });
}

async function names(query = ''): Promise<string[]> {
  const { status, body, headers } = await reader.get(`/api/v1/competitions/${query}`);
  expect(status).toBe(200);
  expect(headers['x-total-count']).toBe(String(body.length));
  return body.map(({ full_name }: { full_name: string }) => full_name);
}

test('without a filter everything is listed, by date and then by name', async () => {
  expect(await names()).toEqual(['Winter', 'Camp', 'Spring', 'Highland', 'Last']);
});

describe('a period lists what overlaps it, both ends inclusive', () => {
  test.for([
    ['?from_date=2026-01-02&to_date=2026-01-02', ['Winter']],
    ['?from_date=2026-01-03&to_date=2026-03-31', []],
    ['?from_date=2026-04-02&to_date=2026-04-04', ['Camp']],
    ['?to_date=2026-04-01', ['Winter', 'Camp', 'Spring']],
    ['?from_date=2026-04-10', ['Camp', 'Last']],
    ['?from_date=2026-12-31', ['Last']],
    ['?from_date=&to_date=2025-12-31', ['Winter']],
    ['?from_date=2026-05-01&to_date=2026-04-01', []],
  ] as const)('%s', async ([query, expected]) => {
    expect(await names(query)).toEqual(expected);
  });
});

describe('a country', () => {
  test.for([
    ['?country=DEU', ['Spring']],
    ['?country=GER', ['Spring']],
    ['?country=ger&from_date=2026-01-01', ['Spring']],
    ['?country=KOS', ['Last']],
    ['?country=SCO', ['Highland']],
    ['?country=GBR', ['Winter', 'Camp', 'Highland']],
    ['?country=FRA', []],
    ['?country=', ['Winter', 'Camp', 'Spring', 'Highland', 'Last']],
  ] as const)('%s', async ([query, expected]) => {
    expect(await names(query)).toEqual(expected);
  });
});

test('query parameters that the service does not know are ignored', async () => {
  expect(await names('?country=DEU&nocache=1&search=%27&constructor=x')).toEqual(['Spring']);
});

test('the path works without its slash and with a double one', async () => {
  expect((await reader.get('/api/v1/competitions?country=DEU')).body).toHaveLength(1);
  expect((await reader.get('//api/v1//competitions//?country=DEU')).body).toHaveLength(1);
});

describe('bad filters', () => {
  test.for([
    ['?country=ZZZ', 'country'],
    ['?country=Germany', 'country'],
    ['?country=GBR&country=DEU', 'country'],
    ['?from_date=2026-02-30', 'from_date'],
    ['?to_date=tomorrow', 'to_date'],
    ['?from_date=2026-1-1', 'from_date'],
    ['?from_date=2026-01-01&from_date=2026-01-02', 'from_date'],
  ])('%s is a 422 that names it', async ([query, field]) => {
    const { status, body } = await reader.get(`/api/v1/competitions/${query}`);
    expect(status).toBe(422);
    expect(body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([['query', field]]);
  });

  test('all of them are told at once', async () => {
    const { body } = await reader.get('/api/v1/competitions/?country=ZZZ&from_date=x&to_date=y');
    expect(body.detail).toHaveLength(3);
  });
});
