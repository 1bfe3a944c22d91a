import { expect, it } from 'vitest';
import { get, signedIn } from '../helpers/http-client.ts';
import { serve } from '../helpers/running-server.ts';
import { cli, databaseEnvironment, makeAccount } from '../helpers/server.ts';

const YEAR = new Date().getUTCFullYear() + 1;
const MEETING = { full_name: 'Calendar Meeting', slug: 'calendar', country_id: 'NOR', date: `${YEAR}-07-18` };
const LIVE = '/live/euroath';

it('a competition created now is in its country’s file and in the European one after "calendar build"', async () => {
  const env = await databaseEnvironment();
  const { baseUrl, databaseUrl } = await serve(env);
  const account = await makeAccount(databaseUrl, 'ADMIN_NOR');
  const files = [`european_calendar_${YEAR}.json`, `domestic_calendar_NOR_${YEAR}.json`];
  const { body } = await (await signedIn(baseUrl, account))('POST', '/competitions/', MEETING);
  const built = await cli(env, 'calendar', 'build', '--json');
  expect(built).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(built.out)).toMatchObject({
    years: [YEAR - 1, YEAR],
    files: 2 * (1 + 51),
    competitions: 1,
  });
  for (const name of files) expect((await get(`${baseUrl}${LIVE}/${name}`)).body).toEqual([body]);
}, 60_000);
