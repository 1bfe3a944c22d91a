import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/create-account.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { commandAnswer, runCommand } from '../helpers/cli.ts';
import { runSql } from '../helpers/sql.ts';
import { type Uploads, uploadsInto } from '../helpers/uploads.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const NAME = 'Maren Okafor-Łuczak';
const maren = {
  competitor_id: '101',
  first_name: 'Maren',
  last_name: 'Okafor-Łuczak',
  first_name_local: 'Марен',
  last_name_local: 'Окафор',
  date_of_birth: '2001-04-05',
  gender: 'F',
  team_id: 'HH',
  licence: 'GB-7788',
  coach_says: 'sprained ankle',
  events_entered: [{ event_id: 'LJ', seed_note: 'asthma' }],
};
const jonna = {
  competitor_id: '102',
  first_name: 'Jonna',
  last_name: 'Berg',
  gender: 'F',
  guide: `with ${NAME}`,
};

/** A meeting in which she jumps, runs in a relay, and is named without a number. */
async function meeting(options: Record<string, unknown> = {}): Promise<Uploads> {
  const admin = await test.as('ADMIN_GBR');
  const made = await uploadsInto(admin, { push: true, ...options });
  await made.store({
    competitors: [maren, jonna],
    teams: [{ team_id: 'HH', team_name: 'Harbour Harriers' }],
    relay_teams: [
      {
        event_id: 'R',
        relay_team_id: 'HH1',
        name: 'HH',
        runners: ['102', '101'],
        runner_names: ['Jonna Berg', NAME],
      },
    ],
    events: [
      {
        event_id: 'LJ',
        event_code: 'LJ',
        units: [
          {
            round: 1,
            heat: 1,
            remark: `MAREN  OKAFOR-ŁUCZAK retired`,
            results: [
              { bib: '101', place: 1, performance: '6.21', surname: 'Okafor-Łuczak', licence: 'GB-7788' },
              { bib: '102', place: 2, performance: '6.02' },
            ],
            trials: [{ bib: '101', round: 1, result: '6.21' }],
          },
        ],
      },
      {
        event_id: 'R',
        event_code: '4x100',
        units: [{ round: 1, heat: 1, results: [{ bib: 'HH1', place: 1 }] }],
      },
      {
        event_id: 'OPEN',
        event_code: '100',
        units: [
          {
            round: 1,
            heat: 1,
            results: [{ bib: '900', place: 1, performance: '12.01', athlete_name: NAME }],
          },
        ],
      },
    ],
  });
  return made;
}

/** Whether anything in the database still knows her. */
async function traces(words = ['okafor', 'Окафор', '2001-04-05', 'GB-7788', 'sprained', 'asthma']) {
  const tables = await runSql(
    test.ownerUrl,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const found = tables.map(
    ({ name }) =>
      `select '${name}: ' || word as trace from unnest($1::text[]) word
        where exists (select from "${name}" stored where strpos(lower(row_to_json(stored)::text), lower(word)) > 0)`,
  );
  const rows = await runSql(test.ownerUrl, found.join(' union all '), [words]);
  return rows.map(({ trace }) => trace);
}

describe('exporting a person', () => {
  it('gives what is stored: record and entries, relay teams, results and trials, also those without a competitor', async () => {
    const made = await meeting();
    const { competitions } = await commandAnswer(
      test.deps,
      'person',
      'export',
      '--name',
      'okafor-łuczak, maren',
      '--competition',
      made.id,
    );
    expect(competitions).toMatchObject([
      {
        competition: { id: made.id },
        competitors: [maren],
        relay_teams: [{ relay_team_id: 'HH1' }],
        units: [
          { event_id: 'LJ', results: [{ bib: '101', performance: '6.21' }], trials: [{ bib: '101' }] },
          { event_id: 'OPEN', results: [{ bib: '900' }] },
          { event_id: 'R', results: [{ bib: 'HH1' }] },
        ],
      },
    ]);
    expect(JSON.stringify(competitions)).not.toContain('6.02');
    await commandAnswer(test.deps, 'person', 'erase', '--name', NAME, '--competition', made.id);
  });

  it('of whom nobody knows is refused', async () => {
    const { code, err } = await runCommand(test.deps, 'person', 'export', '--name', 'No Body');
    expect([code, err]).toEqual([
      1,
      'Error: Nobody of the name "No Body" is stored; write it as it is shown',
    ]);
  });
});

describe('erasing a person', () => {
  it('leaves no trace in the database, and keeps bibs, places and marks', async () => {
    const made = await meeting();
    const judge = await test.as('ADMIN_GBR');
    const attempt = { bib: '101', round: 2, result: '6.10', note: NAME };
    const attempts = `${made.path}/events/LJ/units/1/1/attempts`;
    expect((await judge.post(attempts, attempt, { 'idempotency-key': 'tablet-1' })).status).toBe(201);
    expect(await made.document()).toMatchObject({ competitors: [{ last_name: 'Okafor-Łuczak' }, {}] });
    const before = await made.unit('LJ');
    expect(await traces()).toContain('competitors: okafor');

    await commandAnswer(test.deps, 'person', 'erase', '--name', NAME, '--competition', made.id);

    expect(await traces()).toEqual([]);
    const document = await made.document();
    expect(document.competitors).toMatchObject([
      {
        competitor_id: '101',
        first_name: '',
        last_name: '',
        team_id: 'HH',
        events_entered: [{ event_id: 'LJ' }],
      },
      { competitor_id: '102', first_name: 'Jonna', last_name: 'Berg' },
    ]);
    expect(document.competitors[0]).not.toHaveProperty('age');
    expect(document.relay_teams).toMatchObject([
      { runners: ['102', '101'], runner_names: ['Jonna Berg', '–'] },
    ]);
    const unit = await made.unit('LJ');
    expect(unit.revision).toBeGreaterThan(before.revision);
    expect(unit.results).toMatchObject([
      { bib: '101', place: 1, performance: '6.21', team_name: 'Harbour Harriers' },
      { bib: '102', place: 2, performance: '6.02', athlete_name: 'Jonna Berg' },
    ]);
    expect(unit.results[0]).not.toHaveProperty('athlete_name');
    expect(unit).toMatchObject({ remark: '– retired', trials: [{ result: '6.21' }, { result: '6.10' }] });
    expect((await made.unit('OPEN')).results).toMatchObject([{ bib: '900', place: 1, performance: '12.01' }]);
  });

  it('rewrites what waits to be published, and pushes what is rendered again', async () => {
    const made = await meeting();
    const waiting = () =>
      runSql(
        test.deps.databaseUrl as string,
        'select event, data from outbox where competition_id = $1 order by id',
        [made.id],
      );
    const before = await waiting();
    await commandAnswer(test.deps, 'person', 'erase', '--name', NAME, '--competition', made.id);
    const after = await waiting();
    expect(after.length).toBeGreaterThan(before.length);
    const attempt = after.find(({ event }) => event === 'latest_attempt')!;
    expect(JSON.parse(attempt.data!)).toMatchObject({ bib: '101', athlete_name: '', result: '6.21' });
    expect(JSON.parse(after.at(-1)!.data!)).toMatchObject({ revision: expect.any(Number) });
    expect(await traces()).toEqual([]);
  });

  it('is told in the audit, without the name; the next save shows no name either', async () => {
    const made = await meeting();
    await commandAnswer(test.deps, 'person', 'erase', '--name', NAME, '--competition', made.id);
    const told = await commandAnswer(test.deps, 'audit', '--competition', made.id);
    expect(told.at(-1)).toMatchObject({
      action: 'person.erase',
      account: 'cli',
      detail: { competitors: 2, units: 2, other: 1 },
    });
    const judge = await test.as('ADMIN_GBR');
    await judge.patch(`${made.path}/events/LJ/units/1/1`, { results_status: 'official' });
    expect((await made.unit('LJ')).results[0]).not.toHaveProperty('athlete_name');
    expect(await traces()).toEqual([]);
  });

  it('touches nobody else, and only where it is told to', async () => {
    const [one, other] = [await meeting(), await meeting()];
    await commandAnswer(test.deps, 'person', 'erase', '--name', NAME, '--competition', one.id);
    expect((await other.document()).competitors[0]).toMatchObject({ last_name: 'Okafor-Łuczak' });
    expect(await runCommand(test.deps, 'person', 'erase', '--name', NAME)).toMatchObject({
      code: 1,
      err: 'Error: Say where: --competition <id>, or --all',
    });
    expect(await commandAnswer(test.deps, 'person', 'erase', '--name', NAME, '--all')).toMatchObject([
      { id: other.id },
    ]);
    expect(await traces()).toEqual([]);
    expect((await runCommand(test.deps, 'person', 'erase', '--name', NAME, '--all')).code).toBe(1);
  });

  it('lets the same file bring the name back: it is an upload like any other', async () => {
    const made = await meeting();
    await commandAnswer(test.deps, 'person', 'erase', '--name', NAME, '--competition', made.id);
    await made.store({ competitors: [maren] });
    expect((await made.unit('LJ')).results[0]).toMatchObject({ athlete_name: NAME });
    await commandAnswer(test.deps, 'person', 'erase', '--name', NAME, '--competition', made.id);
  });
});

const account = (verb: string, email: string) => commandAnswer(test.deps, 'account', verb, '--email', email);

describe('an account', () => {
  it('is exported with its groups, its competitions and what the audit has of it', async () => {
    const email = 'dagny@example.org';
    await createAccount(test.deps, { email, password: 'correct horse battery', groups: ['ADMIN_GBR'] });
    const admin = await test.as('ADMIN_GBR');
    const made = await uploadsInto(admin, {});
    await admin.patch(`${made.path}/settings`, { directors: [email] });
    const exported = await account('export', ' Dagny@example.org');
    expect(exported).toMatchObject({
      email,
      account: { groups: ['ADMIN_GBR'], competitions: [made.id] },
      audit: [{ action: 'account.create' }, { action: 'director.add' }],
    });
    expect(JSON.stringify(exported)).not.toContain('argon2');
  });

  it('is erased with its directorships; what it did stays in the audit under a pseudonym', async () => {
    const admin = await test.as('ADMIN_GBR');
    const made = await uploadsInto(admin, {});
    const erased = await account('erase', admin.email);
    expect(erased).toMatchObject({
      pseudonym: expect.stringMatching(/^erased-[\da-f]{12}$/),
      competitions: [made.id],
      without_director: [made.id],
    });
    expect(await traces([admin.email])).toEqual([]);
    expect((await admin.get('/api/v1/auth/me')).status).toBe(401);
    const told = await commandAnswer(test.deps, 'audit', '--competition', made.id);
    expect(told).toMatchObject([{ action: 'competition.create', account: erased.pseudonym, address: null }]);
    expect((await made.document()).full_name).toMatch(/^Test Meeting/);
  });

  it('that was invited only is erased too; of whom nobody knows, not', async () => {
    const admin = await test.as('ADMIN_GBR');
    const made = await uploadsInto(admin, {});
    await admin.patch(`${made.path}/settings`, { directors: [admin.email, 'guest@example.org'] });
    await account('erase', 'guest@example.org');
    expect(await traces(['guest@example.org'])).toEqual([]);
    const again = await runCommand(test.deps, 'account', 'erase', '--email', 'guest@example.org');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('Nothing is stored about')]);
  });
});
