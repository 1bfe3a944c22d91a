import { describe, expect, it } from 'vitest';
import { type ApiClient, get, signedIn } from '../helpers/http-client.ts';
import { arrived, listen, listenRaw } from '../helpers/push-client.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount } from '../helpers/server.ts';

const MEETING = {
  full_name: 'Evening Meeting',
  slug: 'evening_meeting-2',
  country_id: 'GBR',
  date: '2026-07-18',
  competitors: [
    { competitor_id: '7', first_name: 'Zoë', last_name: 'Okafor', gender: 'F' },
    { competitor_id: '8', first_name: 'Ana', last_name: 'Lind', gender: 'F' },
  ],
};
const PAGE = '/x/2026/GBR/evening_meeting-2/';
// As the specification builds it: the page's path without the slashes at its ends, joined with hyphens.
const ROOT = PAGE.split('/').filter(Boolean).join('-');
const OVERVIEW = `${ROOT}-overview`;

async function world() {
  const env = await databaseEnvironment();
  const { baseUrl } = await serve(env);
  const api = await signedIn(baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const { id } = (await api('POST', '/competitions/', MEETING)).body;
  return { baseUrl, api, path: `/competitions/${id}` };
}

const turnPush = (api: ApiClient, path: string, on: boolean) =>
  api('PATCH', `${path}/settings`, { push_notifications: on });

type Unit = Record<string, unknown>;
const unit = (event: Unit, fields: Unit) => ({
  events: [{ ...event, units: [{ round: 1, heat: 1, ...fields }] }],
});
const LONG_JUMP = { event_id: 'F1', event_code: 'LJ', name: 'Long Jump' };
const HIGH_JUMP = { event_id: 'F2', event_code: 'HJ', name: 'High Jump' };
const SPRINT = { event_id: 'T1', event_code: '100', name: '100 m', rounds: '2,1' };

const finished = (performance: string) =>
  unit(SPRINT, { results_status: 'official', results: [{ bib: '7', performance, place: 1 }] });

describe.each(['7', '8'] as const)('pusher-js %s', (version) => {
  it('receives attempts, arriving results and whole units, with the published fields and types', async () => {
    const { baseUrl, api, path } = await world();
    await turnPush(api, path, true);
    const overview = await listen(baseUrl, version, [OVERVIEW]);
    const units = await listen(baseUrl, version, [`${OVERVIEW}-F1-1-1`]);

    const live = { results_status: 'in_progress' };
    await api('POST', path, unit(LONG_JUMP, { ...live, trials: [{ bib: '7', round: 1, result: '6.21' }] }));
    const tries = ['x', 'o'].map((result) => ({ bib: '8', height: '1.75', result }));
    await api('POST', path, unit(HIGH_JUMP, { ...live, trials: tries }));
    await api('POST', path, unit(SPRINT, { results_status: 'seeded', results: [{ bib: '7', lane: 4 }] }));
    const results = [
      { bib: '8', lane: 5, place: 2, performance: '11.61' },
      { bib: '7', lane: 4, place: 1, performance: '11.42' },
    ];
    await api('POST', path, unit(SPRINT, { results_status: 'provisional_results', results }));

    const field = { round_no: 1, heat_no: 1, heat_name: 'Final' };
    const revision = expect.any(Number) as number;
    const vertical = {
      ...field,
      event_id: 'F2',
      event_code: 'HJ',
      bib: '8',
      athlete_name: 'Ana Lind',
      height: '1.75',
      revision,
    };
    expect(await arrived(overview, 4)).toEqual([
      {
        channel: OVERVIEW,
        event: 'latest_attempt',
        data: {
          ...field,
          event_id: 'F1',
          event_code: 'LJ',
          bib: '7',
          round: 1,
          result: '6.21',
          athlete_name: 'Zoë Okafor',
          revision,
        },
      },
      {
        channel: OVERVIEW,
        event: 'latest_attempt',
        data: { ...vertical, attempts_at_height: 'x', attempt: 1, result: 'x' },
      },
      {
        channel: OVERVIEW,
        event: 'latest_attempt',
        data: { ...vertical, attempts_at_height: 'xo', attempt: 2, result: 'o' },
      },
      {
        channel: OVERVIEW,
        event: 'results_arrived',
        data: {
          event_id: 'T1',
          round_no: 1,
          heat_no: 1,
          heat_name: 'Heat 1',
          winner_performance: '11.42',
          winner_name: 'Zoë Okafor',
          revision,
        },
      },
    ]);
    const published = await get(`${baseUrl}${PAGE}event/F1/1/1/json/`);
    expect(await arrived(units, 1)).toEqual([
      { channel: `${OVERVIEW}-F1-1-1`, event: 'unit', data: published.body },
    ]);
  });
});

describe('a unit event', () => {
  it('holds the bytes of the JSON at the unit’s address', async () => {
    const { baseUrl, api, path } = await world();
    await turnPush(api, path, true);
    const client = await listenRaw(baseUrl, `${OVERVIEW}-T1-2-1`);
    const results = [{ bib: '7', performance: '11.40', place: 1, note: '½ <é> \u2028 "' }];
    await api('POST', path, { events: [{ ...SPRINT, units: [{ round: 2, heat: 1, results }] }] });
    const frame = await client.next();
    const page = await get(`${baseUrl}/en-gb${PAGE}event/T1/2/1/json/`);
    expect(page.text).toContain('½ <é>');
    expect(frame).toEqual({ event: 'unit', channel: `${OVERVIEW}-T1-2-1`, data: page.text });
  });
});

describe('a competition with push turned off', () => {
  it('pushes nothing, and turning push on does not make up for it', async () => {
    const { baseUrl, api, path } = await world();
    const channels = [OVERVIEW, `${OVERVIEW}-T1-1-1`];
    const pushed = await listen(baseUrl, '8', channels);
    await api('POST', path, finished('11.40'));
    await turnPush(api, path, true);
    await turnPush(api, path, false);
    await api('POST', path, finished('11.41'));
    await turnPush(api, path, true);
    await api('POST', path, finished('11.42'));
    expect(await arrived(pushed, 1)).toMatchObject([
      { event: 'unit', data: { results: [{ performance: '11.42' }] } },
    ]);
  });
});
