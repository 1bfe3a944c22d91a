// npm run screenshots: pictures of every page of a made-up meeting, in both themes and three widths, into screenshots/.  --only <part of a name>, once or more
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext } from 'playwright-core';
import { createAccount } from '../../src/accounts/create-account.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startServer } from '../../src/server.ts';
import { CHROMIUM_MISSING, launchChromium } from '../helpers/chromium.ts';
import { signedIn } from '../helpers/http-client.ts';
import { makeTestFolder, sweepTestFolders } from '../helpers/temporary.ts';
import { MEETING, OTHER_MEETINGS } from './meeting.ts';
import { NOTHING_HERE, PAGES } from './pages.ts';

const FOLDER = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [320, 768, 1920];
const HEIGHTS: Record<number, number> = { 320: 640, 768: 1024, 1920: 1080 };
const ACCOUNT = { email: 'screenshots@example.org', password: 'correct horse' };

const { only } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [''] } } }).values;
const pages = [...PAGES, ...NOTHING_HERE].filter(({ name }) => only.some((part) => name.includes(part)));

if (CHROMIUM_MISSING) {
  process.stderr.write(`No pictures: ${CHROMIUM_MISSING}\n`);
  process.exit(1);
}
await sweepTestFolders();
const dataDir = await makeTestFolder();
const server = await startServer(loadConfig({ DATA_DIR: dataDir, PORT: '0' }), createLog('silent'));
const browser = await launchChromium();
try {
  await storeMeeting();
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const theme of THEMES) for (const width of WIDTHS) await takeAll(browser, theme, width);
  await writeFile(`${FOLDER}index.html`, contactSheet());
  process.stdout.write(`${pages.length * THEMES.length * WIDTHS.length} pictures: ${FOLDER}index.html\n`);
} finally {
  await browser.close();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function storeMeeting(): Promise<void> {
  await createAccount(server.deps, { ...ACCOUNT, groups: ['ADMIN_GBR'] });
  const api = await signedIn(server.baseUrl, ACCOUNT);
  const create = async (meeting: object) => {
    const created = await api('POST', '/competitions/', meeting);
    if (created.status !== 201) throw new Error(`${created.status} ${created.text}`);
    return created;
  };
  for (const other of OTHER_MEETINGS) await create(other);
  const created = await create(MEETING);
  await api('PATCH', `/competitions/${created.body.id}/settings`, { push_notifications: true });
}

async function takeAll(from: Browser, theme: (typeof THEMES)[number], width: number): Promise<void> {
  const context: BrowserContext = await from.newContext({
    viewport: { width, height: HEIGHTS[width]! },
    colorScheme: theme,
  });
  const tab = await context.newPage();
  for (const { name, path, prepare } of pages) {
    await tab.goto(server.baseUrl + path);
    // What pages say of their connection would differ from picture to picture.
    if ((await tab.locator('[data-push=on] [data-live]:not([data-live=off])').count()) > 0)
      await tab
        .locator('[data-live=connected]')
        .waitFor({ timeout: 5000 })
        .catch(() => {});
    await prepare?.(tab, server.baseUrl);
    const wider = await tab.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (Number(wider) > 0) process.stdout.write(`${name} is ${String(wider)} px wider than ${width}\n`);
    await tab.screenshot({
      path: FOLDER + fileOf(name, theme, width),
      fullPage: true,
      animations: 'disabled',
    });
  }
  await context.close();
}

function fileOf(name: string, theme: string, width: number): string {
  return `${name.replace(/\W+/g, '-')}-${theme}-${width}.png`;
}

/** Every page with its pictures beside each other. */
function contactSheet(): string {
  const sections = pages.map(({ name, path }) => {
    const pictures = THEMES.flatMap((theme) =>
      WIDTHS.map((width) => {
        const file = fileOf(name, theme, width);
        return `<a href="${file}"><img src="${file}" alt="${theme}, ${width} px" loading="lazy"></a>`;
      }),
    );
    return `<h2>${name} <small>${path}</small></h2><p>${pictures.join('')}</p>`;
  });
  const style =
    'body{font:16px system-ui;background:#888}p{display:flex;gap:1rem;align-items:start}img{max-height:40rem;max-width:30vw}';
  return `<!doctype html><meta charset="utf-8"><title>Pages</title><style>${style}</style>${sections.join('\n')}`;
}
