import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { calendarFolder } from '../../src/calendar/build.ts';
import { lastDue } from '../../src/calendar/due.ts';
import { namesOf } from '../../src/calendar/files.ts';
import { startNightly } from '../../src/calendar/nightly.ts';
import { lastBuilt, startDrafts } from '../../src/calendar/write.ts';
import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/db/client.ts';
import type { Deps } from '../../src/deps.ts';
import { createTestDatabase } from '../helpers/db.ts';

const database = await createTestDatabase();
const db = connect(database.url, () => {});
const folder = await mkdtemp(join(tmpdir(), 'athletics-nightly-'));
afterAll(async () => {
  await db.$client.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

type Replica = ReturnType<typeof replica>;

function replica(cron = YEARLY, dataDir = folder, now = () => new Date()) {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const deps: Deps = {
    config: loadConfig({ DATA_DIR: dataDir, CALENDAR_CRON: cron }),
    db,
    reads: db,
    databaseUrl: database.url,
    now,
    log,
    pushApp: { id: '1', key: 'key', secret: 'secret' },
    jwtSecrets: ['x'.repeat(32)],
    installationId: 'urn:test',
  };
  return {
    deps,
    lines,
    builds: () => lines.filter((line) => line.includes('built the calendar files')).length,
  };
}

// Never due while a test runs.
const YEARLY = '0 2 1 1 *';

const built = ({ deps }: Replica) => lastBuilt(calendarFolder(deps.config), new Date().getUTCFullYear());

/** Starts replicas until `check` holds. Returns how many builds they made. */
async function until(replicas: Replica[], check: () => Promise<void>, checkMs?: number) {
  const running = replicas.map(({ deps }) => startNightly(deps, checkMs));
  const before = replicas.map(({ builds }) => builds());
  try {
    await vi.waitFor(check, { timeout: 15_000, interval: 20 });
  } finally {
    await Promise.all(running.map(({ stop }) => stop()));
  }
  const last = running.flatMap(({ lastBuild }) => lastBuild() ?? []);
  return { builds: replicas.map(({ builds }, index) => builds() - before[index]!), last };
}

const isBuilt =
  (...replicas: Replica[]) =>
  async () => {
    for (const one of replicas) expect(await built(one)).not.toBeNull();
  };

async function age(of: Replica, at: Date, names?: string[]) {
  const path = calendarFolder(of.deps.config);
  for (const name of names ?? (await readdir(path))) await utimes(join(path, name), at, at);
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

test('files that are missing are built at start, in a shared folder by one of several replicas', async () => {
  const replicas = [replica(), replica(), replica()];
  const { builds, last } = await until(replicas, isBuilt(replicas[0]!));
  expect(sum(builds)).toBe(1);
  expect(last).toEqual([expect.objectContaining({ files: 2 * (1 + 51), seconds: expect.any(Number) })]);
});

test('replicas with folders of their own build each its own', async () => {
  const replicas = await Promise.all(
    [0, 1].map(async () => replica(YEARLY, await mkdtemp(join(folder, 'own-')))),
  );
  expect((await until(replicas, isBuilt(...replicas))).builds).toEqual([1, 1]);
});

test('a night that was missed is made up for at start, and one that was not is not', async () => {
  const own = replica(YEARLY, await mkdtemp(join(folder, 'missed-')));
  await until([own], isBuilt(own));
  const due = lastDue(own.deps.config, new Date())!;
  await age(own, new Date(due.getTime() + 1000));
  expect((await until([own], isBuilt(own))).builds).toEqual([0]);
  await age(own, new Date(due.getTime() - 1000));
  const isFresh = async () => expect((await built(own))!.getTime()).toBeGreaterThan(due.getTime());
  expect((await until([own], isFresh)).builds).toEqual([1]);
});

test('a night slept through, or that failed, is made up for while the process runs', async () => {
  const own = replica(YEARLY, await mkdtemp(join(folder, 'slept-')));
  await until([own], isBuilt(own));
  const due = lastDue(own.deps.config, new Date())!;
  // The one that tells of a year: with the other year's a check might find one of both old, and then the other.
  const ofYear = namesOf('european', new Date().getUTCFullYear());
  let aged = false;
  const isAgain = async () => {
    if (!aged) await age(own, new Date(due.getTime() - 1000), ofYear);
    aged = true;
    expect((await built(own))!.getTime()).toBeGreaterThan(due.getTime());
  };
  expect((await until([own], isAgain, 100)).builds).toEqual([1]);
});

test('builds that fail again and again are a line at the first, one a minute, and one when they succeed', async () => {
  const path = await mkdtemp(join(folder, 'failing-'));
  const clock = { now: new Date() };
  const own = replica(YEARLY, path, () => clock.now);
  // In the way of the folder.
  await writeFile(join(path, 'static'), '');
  const isTold = async () => {
    clock.now = new Date(clock.now.getTime() + 1000);
    if (own.lines.length === 3) await rm(join(path, 'static'), { force: true });
    expect(own.lines.at(-1)).toContain('are built again');
  };
  await until([own], isTold, 5);
  const told = own.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const failures = told.filter(({ level }) => Number(level) >= 40);
  expect(failures.map(({ msg }) => msg)).toEqual([
    'the calendar files could not be built',
    'the calendar files still cannot be built',
    'the calendar files still cannot be built',
    'the calendar files are built again',
  ]);
  expect(Number(failures[1]!['seconds'])).toBeGreaterThanOrEqual(60);
  expect(Number(failures[3]!['seconds'])).toBeGreaterThanOrEqual(120);
});

test('replicas that wake at the same moment build a shared folder once for it', async () => {
  const shared = await mkdtemp(join(folder, 'shared-'));
  const replicas = [replica('* * * * * *', shared), replica('* * * * * *', shared)];
  const startedMs = Date.now();
  const { builds } = await until(replicas, async () => {
    expect(sum(replicas.map(({ builds }) => builds()))).toBeGreaterThan(2);
  });
  const moments = Math.floor(Date.now() / 1000) - Math.floor(startedMs / 1000) + 1;
  expect(sum(builds)).toBeLessThanOrEqual(moments);
});

test('a build killed before its end counts as none: the file that tells of it comes last', async () => {
  const path = await mkdtemp(join(folder, 'killed-'));
  const drafts = await startDrafts(path, 2030, { buildId: 'x', builtAt: new Date() });
  await drafts.append({ countryId: 'GBR' }, ['{}']);
  // Where a file is to be put there is something that cannot be replaced.
  await mkdir(join(path, 'domestic_calendar_GBR_2030.json', 'full'), { recursive: true });
  await expect(drafts.publish([])).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(await lastBuilt(path, 2030)).toBeNull();
});
