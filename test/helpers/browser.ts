// A real browser for tests: Chromium of the system. Where there is none, those tests say that they were skipped.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { CHROMIUM_MISSING, launchChromium } from './chromium.ts';

/** For the name of a suite that needs it, and for `describe.skipIf`. */
export const withoutBrowser = CHROMIUM_MISSING && ` (skipped: ${CHROMIUM_MISSING})`;

let running: Promise<Browser> | undefined;

// One for all files of a worker: it takes a second to start.
function browser(): Promise<Browser> {
  running ??= launchChromium();
  return running;
}

/** Ends with the worker that started it, unless it is closed before. */
export async function closeBrowser(): Promise<void> {
  const open = running;
  running = undefined;
  await (await open)?.close();
}

/** A tab of its own, closed after the test; what its scripts complain of makes the test fail. */
export async function openTab(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Answers other than 200, and servers that are away, are what some tests are about.
    if (message.type() === 'error' && !/^(Failed to load resource|WebSocket connection)/.test(message.text()))
      complaints.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
  });
  return page;
}

/** Opens a page that follows a unit: it is connected, and has read what the next save is compared with. */
export async function openLive(page: Page, address: string): Promise<void> {
  const read = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/json/'));
  await page.goto(address);
  await page.locator('[data-live=connected]').waitFor();
  await (await read).finished();
}
