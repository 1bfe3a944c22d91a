import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setDisabled } from '../../src/accounts/change-account.ts';
import { runCli } from '../../src/cli/program.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { competition, competitor, event } from '../helpers/factories.ts';

let test: TestApp;
let folder: string;
let admin: string;
beforeAll(async () => {
  test = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'athletics-import-'));
  admin = (await test.as('ADMIN_GBR', 'ADMIN_BRA')).email;
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

type World = { as?: string; stdin?: string; terminal?: boolean; json?: boolean };
let files = 0;

/** Imports this content, from a file unless it comes from stdin. */
async function bringIn(content: unknown, { as = admin, stdin, terminal = false, json = false }: World = {}) {
  const file = join(folder, `${++files}.json`);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  const answer = await cli(
    ['competition', 'import', stdin === undefined ? file : '-', '--as', as, ...(json ? ['--json'] : [])],
    { stdin, terminal },
  );
  return { file, ...answer };
}

async function cli(
  line: string[],
  { stdin = '', terminal = false }: { stdin?: string | undefined; terminal?: boolean } = {},
) {
  const out: string[] = [];
  const err: string[] = [];
  const screen: string[] = [];
  const watched = Object.assign(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        screen.push(String(chunk));
        done();
      },
    }),
    { isTTY: true, columns: 80, rows: 24, clearLine: () => screen.push('<cleared>'), cursorTo: () => true },
  );
  const input = new PassThrough();
  input.end(stdin);
  const code = await runCli(line, {
    env: {},
    createDeps: async () => ({ deps: test.deps, close: async () => {} }),
    stdin: input,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    terminal: terminal ? watched : undefined,
  });
  return { code, out: out.join('\n'), err: err.join('\n'), screen: screen.join('') };
}

const stored = async (content: unknown, world: World = {}) => {
  const answer = await bringIn(content, { ...world, json: true });
  expect(answer.err.replaceAll(/^Warning: .*$/gm, '').trim()).toBe('');
  expect(answer.code).toBe(0);
  return JSON.parse(answer.out);
};
const whole = async (path: string) => (await test.get(path)).body;

function meeting(fields: Record<string, unknown> = {}) {
  const people = [competitor(), competitor()];
  const results = people.map(({ competitor_id: bib }, index) => ({
    bib,
    place: index + 1,
    performance: `11.${index}1`,
  }));
  const units = [{ round: 1, heat: 1, results }];
  return { ...competition(), competitors: people, events: [{ ...event(), units }], ...fields };
}

describe('competition import', () => {
  it('stores a new competition with everything in it, and says where it is', async () => {
    const sent = meeting();
    const { code, out, err } = await bringIn(sent);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const path = `/x/2026/GBR/${sent.slug}/json/`;
    const document = await whole(path);
    expect(out.split('\n')).toEqual([
      `Created competition ${document.id} (${sent.full_name})`,
      `  ${path}`,
      '  in the file: 2 competitors, 1 event, 1 unit',
      '  stored: 1 calendar entry, 2 competitors, 1 event, 1 unit',
    ]);
    expect(document.events[0].units[0].results).toMatchObject(sent.events[0]!.units[0]!.results);
    const settings = await (await test.as('ADMIN_GBR')).get(`/api/v1/competitions/${document.id}/settings`);
    expect(settings.body.directors).toEqual([admin]);
  });

  it('of the same file again changes nothing, with an id, a slug of its own, or neither', async () => {
    const { slug: _slug, ...unnamed } = meeting();
    for (const sent of [meeting(), unnamed, meeting({ id: '7d4c1a52-60b2-4f1c-9a77-0a4f0a6b7a11' })]) {
      const first = await stored(sent);
      expect(first).toMatchObject({ result: 'created', counts: { competitors: 2, events: 1, units: 1 } });
      const before = await whole(first.path);
      const nothing = { record: 0, competitors: 0, teams: 0, relay_teams: 0, events: 0, units: 0 };
      expect(await stored(sent)).toEqual({ ...first, result: 'unchanged', changed: nothing });
      expect(await whole(first.path)).toEqual(before);
    }
  });

  it('of a file with one other result saves that unit alone, and what the file does not mention stays', async () => {
    const sent = meeting();
    const { id, path } = await stored(sent);
    const [first] = sent.events;
    const results = [{ bib: sent.competitors[0]!.competitor_id, place: 1, performance: '10.99' }];
    const { competitors: _people, ...rest } = sent;
    const again = { ...rest, events: [{ ...first, units: [{ round: 1, heat: 1, results }] }] };
    expect(await stored(again)).toMatchObject({
      result: 'updated',
      id,
      changed: { record: 0, competitors: 0, events: 0, units: 1 },
    });
    const document = await whole(path);
    expect(document.competitors).toHaveLength(2);
    expect(document.events[0].units[0].results).toMatchObject(results);
    expect(await stored({ ...rest, city: 'Leeds' })).toMatchObject({
      result: 'updated',
      changed: { record: 1 },
    });
  });

  it('knows a competition by its slug when name and date have changed, and by its id when the slug has', async () => {
    const sent = competition();
    const { id } = await stored(sent);
    const renamed = { ...sent, full_name: 'Renamed Meeting', date: '2026-06-20', finish_date: '2026-06-21' };
    expect(await stored(renamed)).toMatchObject({ result: 'updated', id });
    const moved = { ...renamed, id, slug: 'renamed-meeting' };
    expect(await stored(moved)).toMatchObject({
      result: 'updated',
      path: '/x/2026/GBR/renamed-meeting/json/',
    });
  });

  it('takes meetings that share only a name for different ones', async () => {
    const { slug: _slug, ...may } = competition({ full_name: 'Monthly Meeting', date: '2026-05-02' });
    await stored(may);
    const june = await bringIn({ ...may, date: '2026-06-06' });
    expect(june.code).toBe(1);
    expect(june.err).toBe(
      'Error: The slug monthly-meeting is taken in that country and year; monthly-meeting-2 is free',
    );
    expect(await stored({ ...may, date: '2026-06-06', slug: 'monthly-meeting-2' })).toMatchObject({
      result: 'created',
    });
  });

  it('refuses a duplicate with both ways out, and each of them works', async () => {
    const sent = competition({ full_name: 'Twice Meeting' });
    const { id } = await stored(sent);
    const other = { ...sent, slug: 'twice-meeting-again' };
    const refused = await bringIn(other);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(
      /^Error: A competition with the same name and date already exists\b[^\n]*: put [^\n]+$/,
    );
    expect(refused.err).toContain(`put "id": "${id}" into the file to update it`);
    const [, token] = /"override_token": "([^"]+)"/.exec(refused.err) ?? [];
    expect(await stored({ ...sent, override_token: token })).toMatchObject({
      result: 'created',
      path: `/x/2026/GBR/${sent.slug}-2/json/`,
    });
    expect(await stored({ ...other, id })).toMatchObject({ result: 'updated', id });
  });

  it('reads stdin, and answers one JSON object', async () => {
    const { code, out, err } = await bringIn('', { stdin: JSON.stringify(meeting()), json: true });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(Object.keys(JSON.parse(out))).toEqual(['result', 'id', 'path', 'counts', 'changed', 'warnings']);
  });

  it('warns of what the test endpoint warns of, beside the result', async () => {
    const sent = meeting({ full_nmae: 'x', relay_teams: [{ relay_team_id: 'A', event_id: 'none' }] });
    const { code, out, err } = await bringIn(sent, { json: true });
    expect(code).toBe(0);
    expect(err.split('\n')).toEqual([
      'Warning: full_nmae: Unknown field: it is kept as sent',
      'Warning: full_nmae: Not shown to the public',
      'Warning: relay_teams[0].event_id: No event none in this upload',
    ]);
    expect(JSON.parse(out).warnings).toHaveLength(3);
  });

  it('shows a bar where somebody watches, takes it away, and shows nothing elsewhere', async () => {
    const watched = await bringIn(meeting(), { terminal: true });
    expect(watched).toMatchObject({ code: 0, err: '' });
    for (const part of ['0% reading', '100% reading', 'checking', '0% storing', '100% storing'])
      expect(watched.screen).toContain(part);
    const percentages = [...watched.screen.matchAll(/(\d+)% storing/g)].map(([, text]) => Number(text));
    expect(percentages).toEqual(percentages.toSorted((one, other) => one - other));
    expect(new Set(percentages).size).toBeGreaterThan(3);
    expect(watched.out).toMatch(/^Created/);
    expect((await bringIn(meeting())).screen).toBe('');
  });
});

describe('competition import refuses', () => {
  it('every fault on a line of its own, with its path, and changes nothing', async () => {
    const [first] = meeting().events;
    const heat = { round: 1, heat: 0, results: [{ place: 1 }] };
    const bad = meeting({ date: '2026-02-30', country_id: 'XYZ', events: [{ ...first, units: [heat] }] });
    const { code, out, err } = await bringIn(bad);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.split('\n')).toEqual([
      'country_id: Unknown country code "XYZ"',
      'date: Must be a real date, YYYY-MM-DD',
      expect.stringMatching(/^events\[0\]\.units\[0\]\.heat: \S/),
      'events[0].units[0].results[0].bib: Field required',
      'Error: 4 faults; nothing was changed',
    ]);
    expect((await test.get(`/x/2026/GBR/${bad.slug}/json/`)).status).toBe(404);
  });

  it.each([
    ['no JSON', '{"full_name": ', /^Error: Cannot read \S+: it is not valid JSON/],
    ['nothing', '', /^the whole: Field required\nError: one fault; nothing was changed$/],
    ['a list', '[]', /^the whole: /],
    [
      'a NUL',
      `{"full_name":"a${String.raw`\u0000`}"}`,
      /^full_name: Text may not contain the character U\+0000\n/,
    ],
  ])('a file that holds %s', async (_what, content, message) => {
    expect(await bringIn(content)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) });
  });

  it('a file that is not there, and a folder', async () => {
    for (const [file, why] of [
      ['nowhere.json', 'there is no such file'],
      [folder, 'it is a folder'],
    ] as const) {
      const { code, err } = await cli(['competition', 'import', file, '--as', admin]);
      expect({ code, err }).toEqual({ code: 1, err: `Error: Cannot read ${file}: ${why}` });
    }
  });

  it('an account that does not exist, is disabled, or has not the right; each in one line', async () => {
    const sent = meeting();
    const refusal = async (as: string) => {
      const { code, err } = await bringIn(sent, { as });
      expect(code).toBe(1);
      return err;
    };
    const [guest, former] = [await test.as('ADMIN_NOR'), await test.as('ADMIN_GBR')];
    await setDisabled(test.deps, { email: former.email, disabled: true });
    expect(await refusal('nobody@example.org')).toMatch(
      /^Error: There is no account nobody@example\.org; .+$/,
    );
    expect(await refusal(former.email)).toBe(
      `Error: The account ${former.email} is disabled; "account enable" lets it in again`,
    );
    expect(await refusal(guest.email)).toBe('Error: Creating a competition needs ADMIN_GBR');
    await stored(sent);
    expect(await refusal(guest.email)).toMatch(/^Error: Changing this competition needs ADMIN_GBR or .+$/);
  });
});

it('--help shows examples', async () => {
  for (const line of [[], ['import']]) {
    const { out } = await cli(['competition', ...line, '--help']);
    expect(out).toContain('npm run cli -- competition import harbour-town-open.json --as');
  }
});

const FOLDER = process.env['COMPETITION_DATA_DIR'];
const skipped = FOLDER ? '' : ' (skipped: COMPETITION_DATA_DIR is not set)';

describe.skipIf(!FOLDER)(`real data${skipped}`, () => {
  it.each([
    ['rio2016_upload.json', { competitors: 2284, teams: 199, relay_teams: 64, events: 64, units: 258 }],
    ['full_competition_upload.json', { competitors: 4 }],
  ])('of %s is imported whole, and not twice', async (name, counts) => {
    const content = await readFile(join(FOLDER!, name), 'utf8');
    const first = await bringIn(content, { json: true });
    expect(first.code).toBe(0);
    const answer = JSON.parse(first.out);
    expect(answer).toMatchObject({ result: 'created', counts });
    const { competitors, events } = await whole(answer.path);
    expect(competitors).toHaveLength(answer.counts.competitors);
    expect(events).toHaveLength(answer.counts.events);
    expect(JSON.parse((await bringIn(content, { json: true })).out)).toMatchObject({ result: 'unchanged' });
  });
});
