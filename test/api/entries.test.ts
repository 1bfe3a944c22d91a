// Entries that come as a spreadsheet, and go out as one.
import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
const reader = await api.as();
afterAll(api.close);

const EVENTS = [
  { event_id: 'S', event_code: '100', rounds: '1' },
  { event_id: 'L', event_code: 'LJ', rounds: '1' },
];
const CSV = { 'content-type': 'text/csv' };
const FILE = [
  'Bib;Fornavn;Etternavn;Gender;Date Of Birth;Øvelse;PB;Shoe Size',
  '1;Ana;Bo;female;09.04.2003;S;11,90;38',
  '1;Ana;Bo;F;2003-04-09;L;6,21;38',
  '2;Kari;Lind;F;;S;;',
  '',
].join('\r\n');

const world = async (fields = {}) => {
  const uploads = await uploadsInto(admin, { date: '2026-06-13', events: EVENTS, ...fields });
  const send = (file: string | Buffer, query = '', headers: Record<string, string> = CSV) =>
    admin.post(`${uploads.path}/entries${query}`, file, headers);
  const competitors = async () => (await admin.get(`${uploads.path}?include=competitors`)).body.competitors;
  return { ...uploads, send, competitors };
};

describe('an import', () => {
  test('stores each competitor once with all their entries', async () => {
    const { send, competitors } = await world();
    expect(await send(FILE)).toMatchObject({
      status: 200,
      body: { dry_run: false, rows: 3, competitors: 2, entries: 3, changed: { competitors: 2 } },
    });
    expect(await competitors()).toEqual([
      {
        competitor_id: '1',
        first_name: 'Ana',
        last_name: 'Bo',
        gender: 'F',
        date_of_birth: '2003-04-09',
        'Shoe Size': '38',
        events_entered: [
          { event_id: 'S', pb: '11.90' },
          { event_id: 'L', pb: '6.21' },
        ],
      },
      {
        competitor_id: '2',
        first_name: 'Kari',
        last_name: 'Lind',
        gender: 'F',
        events_entered: [{ event_id: 'S' }],
      },
    ]);
    expect((await send(FILE)).body.changed).toEqual({ competitors: 0, units: 0 });
  });

  test('tried out says the same and stores nothing', async () => {
    const { send } = await world();
    const before = await snapshot(api.db);
    const tried = await send(`${FILE}3;;;;;X;;\r\n`, '?dry_run=true');
    expect(tried).toMatchObject({ status: 200, body: { dry_run: true, changed: { competitors: 3 } } });
    expect(tried.body.warnings.map(({ type }: { type: string }) => type)).toEqual([
      'unknown_field',
      'reference',
    ]);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('with faults names them all by line and column, and stores nothing', async () => {
    const { send } = await world();
    const before = await snapshot(api.db);
    const file = [
      'Bib,Last Name,Date Of Birth,Gender,Event',
      '1,Bo,2003-02-30,F,S',
      ',Nobody,,F,S',
      '2,Lind,,Female!,S',
      '2,Lund,,,L',
      '3,a\0b,2999-01-01,F,a/b',
    ].join('\n');
    const { status, body } = await send(file);
    expect(status).toBe(422);
    const found = body.detail.map(({ loc }: { loc: unknown[] }) => loc);
    expect(found).toContainEqual(['body', 'line', 2, 'column', 'Date Of Birth']);
    expect(found).toContainEqual(['body', 'line', 3, 'column', 'Competitor Id']);
    expect(found).toContainEqual(['body', 'line', 4, 'column', 'Gender']);
    expect(found).toContainEqual(['body', 'line', 5, 'column', 'Last Name']);
    expect(found).toContainEqual(['body', 'line', 6, 'column', 'Last Name']);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test.for([
    ['', CSV, 422],
    ['no columns that we know\n1', CSV, 422],
    ['Bib,Bib\n1,1', CSV, 422],
    ['{}', { 'content-type': 'application/json' }, 415],
    ['Bib\n1', { 'content-type': 'text/plain' }, 200],
    ['x'.repeat(10 * 1024 * 1024 + 1), CSV, 413],
  ] as const)('of %.40j is answered %j', async ([file, headers, status]) => {
    const { send } = await world();
    expect(await send(file, '', headers)).toMatchObject({ status });
  });
});

describe('what goes out', () => {
  const PEOPLE = [
    {
      competitor_id: '1',
      first_name: ' Ana',
      last_name: '=SUM(A1)',
      date_of_birth: '2003-04-09',
      national_id: 'N1',
      height: 181,
      fit: true,
      nested: { a: 1 },
      pb: '6.50',
      events_entered: [
        { event_id: 'S', qp: 11.9, note: { lane: 4 } },
        { event_code: 'LJ', sb: '-' },
      ],
    },
    { competitor_id: "'+2", last_name: 'O\'Neil; "Ann",\nof Town', gender: null, events_entered: [] },
  ];

  test.for([
    ['as it is', ',', (text: string) => Buffer.from(text)],
    ['with semicolons', ';', (text: string) => Buffer.from(text)],
    ['as UTF-16 with tabs', 'tab', (text: string) => Buffer.from(text, 'utf16le')],
  ] as const)('comes in again unchanged, %s', async ([, delimiter, saved]) => {
    const { path, send, competitors } = await world({ competitors: PEOPLE });
    const stored = await competitors();
    const { status, text, headers } = await admin.get(`${path}/entries.csv?delimiter=${delimiter}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
    expect(text).toContain("'=SUM(A1)");
    expect(await send(saved(text))).toMatchObject({ status: 200, body: { changed: { competitors: 0 } } });
    expect(await competitors()).toEqual(stored);
  });

  test('has dates of birth for those who may edit, and for nobody else', async () => {
    const { path } = await world({ competitors: PEOPLE });
    expect((await admin.get(`${path}/entries.csv`)).text).toMatch(/2003-04-09/);
    const { text } = await reader.get(`${path}/entries.csv`);
    expect(text).toContain('=SUM');
    expect(text).not.toMatch(/2003|N1|Birth|181/);
    expect((await api.get(`${path}/entries.csv`)).status).toBe(401);
  });
});
