// What a page costs a spectator's telephone: bytes of its text, scripts and styles, and what it waits for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { askedOnce, BUDGETS, weightOf, weightText } from '../helpers/page-weight.ts';
import { MEETING, OTHER_MEETINGS } from '../screenshots/meeting.ts';
import { PAGES } from '../screenshots/pages.ts';

let world: TestApp;
beforeAll(async () => {
  world = await startTestApp();
  const director = await world.as('ADMIN_GBR');
  for (const meeting of [MEETING, ...OTHER_MEETINGS]) await director.post('/api/v1/competitions/', meeting);
});
afterAll(async () => world.close());

async function bytesOf(path: string): Promise<number> {
  const answer = await world.app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
  expect(answer).toMatchObject({ statusCode: 200 });
  return answer.rawPayload.length;
}

const bytesOfAsset = askedOnce(bytesOf);

/** Shown elsewhere than in a browser's window. */
const isBare = (html: string) => /data-page="(screen|overlay|embed|card)"/.test(html);

// In a state that only a browser brings about a page weighs the same; and so in most languages.
test.each(PAGES.filter(({ name, prepare }) => !prepare && !/\((?!el)\w\w\)$/.test(name)))(
  '$name keeps to its budgets, and waits for its style sheet alone',
  async ({ name, path }) => {
    const page = await world.get(path);
    expect(page.status).toBe(200);
    const weight = await weightOf(page.text, bytesOfAsset);
    process.stdout.write(`${name}: ${weightText(weight)}\n`);
    expect(weight.html).toBeLessThanOrEqual(/data-unit=/.test(page.text) ? BUDGETS.html : Infinity);
    const isBoard = page.text.includes('data-page="screen"');
    expect(weight.scripts).toBeLessThanOrEqual(isBoard ? BUDGETS.boardScripts : BUDGETS.scripts);
    expect(weight.styles).toBeLessThanOrEqual(BUDGETS.styles);
    const sheet = isBare(page.text) ? /^\/assets\/\w+\..*\.css$/ : /^\/assets\/pages\..*\.css$/;
    expect(weight.blocking[0]).toMatch(sheet);
    // Frames have a sheet of their own besides.
    expect(weight.blocking.slice(1).filter((path) => !/^\/assets\/embed\..*\.css$/.test(path))).toEqual([]);
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
