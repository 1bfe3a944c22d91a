import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { dataFolder } from '../helpers/embedded-process.ts';
import { get, signedIn } from '../helpers/http-client.ts';
import { serve } from '../helpers/running-server.ts';
import { cli, databaseEnvironment, makeAccount, type Server, startServerProcess } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

const YEAR = new Date().getUTCFullYear() + 1;
const MEETING = { full_name: 'Calendar Meeting', slug: 'calendar', country_id: 'NOR', date: `${YEAR}-07-18` };
const LIVE = '/live/euroath';

const builds = ({ written }: Server) => written.stdout.split('built the calendar files').length - 1;

it('of two servers that wake at the same minute one builds the calendar files, and at start too', async () => {
  const env = { ...(await databaseEnvironment()), CALENDAR_CRON: '* * * * * *' };
  const servers = await Promise.all([startServerProcess(env), startServerProcess(env)]);
  const nights = () => runSql(env.DATABASE_URL, 'select scheduled_for from calendar_builds');
  await vi.waitFor(async () => expect(await nights()).not.toEqual([]), { timeout: 20_000, interval: 50 });
  // Both wake every second, and the build belongs to the minute.
  await sleep(2000);
  for (const server of servers) expect(await server.kill('SIGTERM')).toBe(0);
  const atStart = 1;
  const built = servers.reduce((sum, server) => sum + builds(server), 0);
  expect(built).toBe(atStart + (await nights()).length);
}, 60_000);

/** The same with a Postgres of its own in the data folder, and on the Postgres of the test run. */
it.each(['embedded', 'external'] as const)(
  'a competition created now is in its country’s file and in the European one after "calendar build" (%s database)',
  async (database) => {
    const env = database === 'embedded' ? { DATA_DIR: await dataFolder() } : await databaseEnvironment();
    const { baseUrl, databaseUrl } = await serve(env);
    const account = await makeAccount(databaseUrl, 'ADMIN_NOR');
    const files = [`european_calendar_${YEAR}.json`, `domestic_calendar_NOR_${YEAR}.json`];
    const { body } = await (await signedIn(baseUrl, account))('POST', '/competitions/', MEETING);
    const built = await cli(env, 'calendar', 'build', '--json');
    expect(built).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(built.out)).toMatchObject({ years: [YEAR - 1, YEAR], competitions: 1 });
    for (const name of files) expect((await get(`${baseUrl}${LIVE}/${name}`)).body).toEqual([body]);
  },
  60_000,
);
