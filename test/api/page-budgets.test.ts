// What a page costs a spectator's telephone: bytes of its text, scripts and styles, and what it waits for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { BUDGETS, weightOf, weightText } from '../helpers/page-weight.ts';
import { MEETING } from '../screenshots/meeting.ts';
import { PAGES } from '../screenshots/pages.ts';

let world: TestApp;
beforeAll(async () => {
  world = await startTestApp();
  const director = await world.as('ADMIN_GBR');
  await director.post('/api/v1/competitions/', MEETING);
});
afterAll(async () => world.close());

async function bytesOf(path: string): Promise<number> {
  const answer = await world.app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
  expect(answer).toMatchObject({ statusCode: 200 });
  return answer.rawPayload.length;
}

test.each(PAGES)(
  '$name keeps to its budgets, and waits for its style sheet alone',
  async ({ name, path }) => {
    const page = await world.get(path);
    expect(page.status).toBe(200);
    const weight = await weightOf(page.text, bytesOf);
    process.stdout.write(`${name}: ${weightText(weight)}\n`);
    expect(weight.html).toBeLessThanOrEqual(BUDGETS.html);
    expect(weight.scripts).toBeLessThanOrEqual(BUDGETS.scripts);
    expect(weight.styles).toBeLessThanOrEqual(BUDGETS.styles);
    expect(weight.blocking).toEqual([expect.stringMatching(/^\/assets\/pages\..*\.css$/)]);
  },
);

test('scripts are sent in their smallest form: they are kept for ever', async () => {
  const { text } = await world.get(PAGES[0]!.path);
  const [path = ''] = /\/assets\/shared\.[^"]+/.exec(text) ?? [];
  const sizes = await Promise.all(
    ['br', 'gzip', 'identity'].map(async (encoding) => {
      const answer = await world.app.inject({ url: path, headers: { 'accept-encoding': encoding } });
      return answer.rawPayload.length;
    }),
  );
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  expect(sizes[1]).toBeLessThan(sizes[2]! / 2.9);
});
