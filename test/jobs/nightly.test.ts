import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { calendarFolder } from '../../src/calendar/build.ts';
import { startNightly } from '../../src/calendar/nightly.ts';
import { lastBuilt } from '../../src/calendar/write.ts';
import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/db/client.ts';
import { calendarBuilds } from '../../src/db/schema.ts';
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

function replica(cron: string) {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const deps: Deps = {
    config: loadConfig({ DATA_DIR: folder, CALENDAR_CRON: cron }),
    db,
    reads: db,
    databaseUrl: database.url,
    now: () => new Date(),
    log,
    pushApp: { id: '1', key: 'key', secret: 'secret' },
    jwtSecrets: ['x'.repeat(32)],
    installationId: 'urn:test',
  };
  return { deps, builds: () => lines.filter((line) => line.includes('built the calendar files')).length };
}

const built = (deps: Deps) => lastBuilt(calendarFolder(deps.config), new Date().getUTCFullYear());

const minutes = async () => (await db.select().from(calendarBuilds)).length;

test('files that are missing are built at start, by one of several replicas', async () => {
  const replicas = [replica('0 2 * * *'), replica('0 2 * * *'), replica('0 2 * * *')];
  const running = replicas.map(({ deps }) => startNightly(deps));
  await vi.waitFor(async () => expect(await built(replicas[0]!.deps)).not.toBeNull(), 10_000);
  await Promise.all(running.map(({ stop }) => stop()));
  expect(replicas.reduce((sum, { builds }) => sum + builds(), 0)).toBe(1);
  const known = running.flatMap(({ lastBuild }) => lastBuild() ?? []);
  expect(known).toEqual([expect.objectContaining({ files: 2 * (1 + 51), seconds: expect.any(Number) })]);
});

test('of the replicas that wake at the same minute one builds', async () => {
  const replicas = [replica('* * * * * *'), replica('* * * * * *')];
  const running = replicas.map(({ deps }) => startNightly(deps));
  await vi.waitFor(async () => expect(await minutes()).toBeGreaterThan(0), 10_000);
  // Both wake every second, and the build belongs to the minute.
  await sleep(1200);
  await Promise.all(running.map(({ stop }) => stop()));
  expect(replicas.reduce((sum, { builds }) => sum + builds(), 0)).toBe(await minutes());
});
