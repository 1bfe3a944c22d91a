import { afterAll, beforeAll, expect, test } from 'vitest';
import { IDS } from '../../src/demo/meetings.ts';
import { competitionPath, prepareMeetings } from '../../src/demo/prepare.ts';
import { seeded } from '../../src/demo/random.ts';
import { highJumpSteps, longJumpSteps, sprintSteps, type Step } from '../../src/demo/steps.ts';
import { Refused } from '../../src/demo/client.ts';
import { type Client, startTestApp, type TestApp } from '../helpers/app.ts';

let api: TestApp;
let account: Client;
beforeAll(async () => {
  api = await startTestApp();
  account = await api.as('ADMIN_GBR');
  const client = async (method: string, path: string, body?: object) => {
    const url = path.replace(/\/$/, '');
    const { status, text } = await account.request({
      method,
      url,
      ...(body && { payload: body }),
    });
    if (status >= 300) throw new Refused(status, text);
    return text;
  };
  await prepareMeetings(client, api.clock.now);
});
afterAll(() => api.close());

test.for([
  ['long jump', longJumpSteps],
  ['high jump', highJumpSteps],
  ['sprint', sprintSteps],
] as const)(
  'every step of the %s is accepted, over several rounds of the event',
  // Hundreds of saves, one after another.
  { timeout: 120_000 },
  async ([, steps]) => {
    const series: Generator<Step, never> = steps(seeded(3));
    for (let count = 0; count < 250; count++) {
      const { method, path, body } = series.next().value;
      const url = competitionPath(IDS.underWay) + path;
      const answer = await account.request({ method, url, payload: body });
      expect(answer).toMatchObject({ status: path.endsWith('/attempts') ? 201 : 200 });
    }
  },
);

test('entries go out, are changed in a spreadsheet, and come in again, with that change alone', async () => {
  const path = competitionPath(IDS.underWay);
  const csv = { 'content-type': 'text/csv' };
  const send = (file: string) => account.post(`${path}/entries`, file, csv);
  const { text } = await account.get(`${path}/entries.csv?delimiter=%3B`);
  expect(text).toMatch(/^\uFEFFCompetitor Id;.*\r\n101;/);
  expect((await send(text)).body).toMatchObject({ warnings: [], changed: { competitors: 0, units: 0 } });
  const [header, ...lines] = text.split('\r\n');
  const column = header!.split(';').indexOf('PB');
  const changed = lines.map((line, index) =>
    index === 0 ? line.split(';').with(column, '7,77').join(';') : line,
  );
  const { status, body } = await send([header, ...changed].join('\r\n'));
  expect({ status, changed: body.changed }).toEqual({ status: 200, changed: { competitors: 1, units: 0 } });
  const { text: after } = await account.get(`${path}/entries.csv?delimiter=%3B`);
  expect(after).toBe([header, ...changed].join('\r\n').replace('7,77', '7.77'));
});

test('the meeting that one is told to look at is live on the entrance, and has standings and teams', async () => {
  await account.post(`${competitionPath(IDS.underWay)}/events/F01/units/1/1/attempts`, {
    bib: '101',
    round: 6,
    result: 'x',
  });
  const { text } = await api.get('/');
  const live = /data-section="live">(.*?)<\/section>/.exec(text)![1]!;
  const page = /href="(\/x\/[^"]+)"><bdi>Kestrel Cliff/.exec(live)![1]!;
  const results = async (unit: string) => (await api.get(`${page}event/${unit}/1/1/json/`)).body.results;
  expect(await results('M01')).toContainEqual(
    expect.objectContaining({ place: 1, points: expect.any(Number) }),
  );
  expect((await results('X01'))[0]).toMatchObject({ team_name: expect.stringMatching(/\w/) });
});
