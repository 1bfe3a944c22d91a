// Widgets, frames, screens and graphics in a real browser: complete at once, then as live as the page.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeBrowser, openTab, withoutBrowser } from '../helpers/browser.ts';
import { startLiveServer } from '../helpers/live-meeting.ts';

declare global {
  interface Window {
    play: () => void;
    update: (data: unknown) => void;
  }
}

const unitOf = (event_id: string, event_code: string, unit: object) => ({
  event_id,
  event_code,
  name: event_code,
  units: [{ round: 1, heat: 1, ...unit }],
});

/** How opaque a point of a page is, 0 to 255. */
async function alphaAt(tab: Page, { x, y }: { x: number; y: number }): Promise<number> {
  const picture = await tab.screenshot({ omitBackground: true, clip: { x, y, width: 1, height: 1 } });
  return tab.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
    const canvas = document.createElement('canvas').getContext('2d')!;
    canvas.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
    return canvas.getImageData(0, 0, 1, 1).data[3]!;
  }, picture.toString('base64'));
}

describe.skipIf(withoutBrowser)(`what other screens show${withoutBrowser}`, () => {
  let server: Awaited<ReturnType<typeof startLiveServer>>;
  let host: Server;
  let page = { html: '', policy: '' };

  beforeAll(async () => {
    server = await startLiveServer();
    host = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': page.policy });
      response.end(`<!doctype html><link rel="icon" href="data:,">${page.html}`);
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    host.close();
    await Promise.all([server.stop(), closeBrowser()]);
  });

  /** A page of another site, with a policy as strict as the README asks for. */
  async function foreignPage(html: string, policy = '') {
    const socket = server.baseUrl.replace('http', 'ws');
    const allowed = `script-src ${server.baseUrl}; connect-src ${server.baseUrl} ${socket}`;
    page = { html, policy: policy || `default-src 'none'; img-src data:; ${allowed}` };
    const tab = await openTab();
    await tab.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
    return tab;
  }

  const script = () => `<script async src="${server.baseUrl}/embed/v1.js"></script>`;

  test('a widget follows its unit on a page of another site that allows it nothing more', async () => {
    const meeting = await server.meeting();
    const tab = await foreignPage(
      `${script()}<athletics-unit src="${meeting.pageOf('F1')}" lang="de"><a href="/">Live</a></athletics-unit>`,
    );
    const widget = tab.locator('athletics-unit');
    await widget.locator('[data-live=connected]').waitFor();
    await expect(widget.locator('a', { hasText: 'Live' }).isVisible()).resolves.toBe(false);
    await expect(widget.locator('[data-unit]').getAttribute('data-state')).resolves.toBe('seeded');
    await expect(widget.locator('.chip').textContent()).resolves.toContain('Startliste');
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    await widget.locator('tr[data-bib="11"] [data-cell=performance]:text-is("6.12")').waitFor();
    const parts = await widget.evaluate((element) =>
      ['table', 'caption', 'row', 'cell', 'state'].filter((part) =>
        element.shadowRoot!.querySelector(`[part=${part}]`),
      ),
    );
    expect(parts).toEqual(['table', 'caption', 'row', 'cell', 'state']);
    // The sheet is one that the page's policy has no say about.
    const border = await widget.locator('.scroll').evaluate((one) => getComputedStyle(one).borderTopWidth);
    expect(border).toBe('1px');
  });

  test('a widget of a competition shows its units and what happens in them', async () => {
    const meeting = await server.meeting();
    const tab = await foreignPage(
      `${script()}<athletics-competition src="${meeting.page}"></athletics-competition>`,
    );
    const widget = tab.locator('athletics-competition');
    await widget.locator('[data-live=connected]').waitFor();
    await expect(widget.locator('[data-unit]').count()).resolves.toBe(3);
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    await widget.locator('.ticker [data-cell=attempt]:text-is("6.12")').waitFor();
    await widget.locator('[data-unit="F1-1-1"][data-state=live]').waitFor();
  });

  test('widgets on one page share a connection, and each is live until it is taken away', async () => {
    const meeting = await server.meeting();
    const units = ['F1', 'F2', 'T1'].map(
      (id) => `<athletics-unit src="${meeting.pageOf(id)}"></athletics-unit>`,
    );
    const again = `<athletics-unit id="again" src="${meeting.pageOf('F1')}" lang="de"></athletics-unit>`;
    const competition = `<athletics-competition src="${meeting.page}"></athletics-competition>`;
    page = { html: '', policy: '' };
    const tab = await openTab();
    const sockets: string[] = [];
    tab.on('websocket', (socket) => sockets.push(socket.url()));
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
    page.html = script() + units.join('') + again + competition;
    await tab.goto(address);
    await tab.locator('[data-live=connected]').nth(4).waitFor();
    const shown = (element: string) => tab.locator(`${element} tr[data-bib="11"] [data-cell=performance]`);
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    await shown('athletics-unit:first-of-type').getByText('6.12').waitFor();
    await shown('#again').getByText('6.12').waitFor();
    await tab.locator('athletics-competition .ticker [data-cell=attempt]:text-is("6.12")').waitFor();
    // Of two that hear the same the other goes on.
    await tab.evaluate(() => document.querySelector('athletics-unit')!.remove());
    await meeting.attempt('F1', { bib: '11', round: 2, result: '6.34' });
    await shown('#again').getByText('6.34').waitFor();
    // One that comes later joins them.
    await tab.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), units[0]!);
    await shown('athletics-unit:last-of-type').getByText('6.34').waitFor();
    await meeting.attempt('F1', { bib: '11', round: 3, result: '6.50' });
    await shown('athletics-unit:last-of-type').getByText('6.50').waitFor();
    expect(sockets).toHaveLength(1);
  });

  test('where there is nothing to show the link stays', async () => {
    const meeting = await server.meeting();
    const tab = await foreignPage(
      `${script()}<athletics-unit src="${meeting.pageOf('F9')}"><a href="/">Live</a></athletics-unit>`,
    );
    await tab.waitForFunction(() => customElements.get('athletics-unit') !== undefined);
    await tab.waitForLoadState('networkidle');
    await expect(tab.locator('athletics-unit a').isVisible()).resolves.toBe(true);
  });

  test('a frame tells the page around it how high it is', async () => {
    const meeting = await server.meeting();
    const tab = await foreignPage(
      `<iframe src="${meeting.pageOf('F1')}embed/"></iframe>`,
      `default-src 'none'; img-src data:; frame-src ${server.baseUrl}`,
    );
    const height = await tab.evaluate(
      async () =>
        new Promise((resolve) => {
          window.addEventListener('message', ({ data }: MessageEvent<{ type: string; height: number }>) => {
            if (data.type === 'athletics:height') resolve(data.height);
          });
          const frame = document.querySelector('iframe')!;
          frame.setAttribute('src', frame.src);
        }),
    );
    expect(height).toBeGreaterThan(100);
  });

  test('a screen turns its pages, by itself and by its keys, and shows what is saved', async () => {
    const meeting = await server.meeting();
    const tab = await openTab();
    await tab.goto(`${meeting.page}screen/?units=F1-1-1,T1-1-1&rows=2&page=600`);
    const number = tab.locator('[data-pages]');
    await number.filter({ hasText: '1/4' }).waitFor();
    const visible = () => tab.locator('tbody tr:visible').count();
    await expect(visible()).resolves.toBe(2);
    await tab.keyboard.press(']');
    await number.filter({ hasText: '2/4' }).waitFor();
    await expect(visible()).resolves.toBe(1);
    await tab.keyboard.press('[');
    await tab.keyboard.press('\\');
    await tab.locator('html[data-theme=light]').waitFor();
    await tab.locator('[data-live=connected]').waitFor();
    await meeting.attempt('F1', { bib: '13', round: 1, result: '6.12' });
    await tab.locator('tr[data-bib="13"]:visible [data-cell=performance]:text-is("6.12")').waitFor();
    await expect(visible()).resolves.toBe(2);
    await tab.keyboard.press('m');
    await tab.locator('[data-action=shortcuts]').click();
    await tab.keyboard.press('\\');
    await expect(tab.locator('html').getAttribute('data-theme')).resolves.toBe('light');
  });

  test('a screen cuts off no column, whatever names and however many heights there are', async () => {
    const long = 'Konstantinopolitanska-Wolfeschlegelsteinhausenbergerdorff';
    const people = Array.from({ length: 8 }, (_, index) => String(index + 1));
    const heights = Array.from({ length: 12 }, (_, index) => (1.6 + index * 0.05).toFixed(2));
    const meeting = await server.meeting({
      competitors: people.map((bib) => ({ competitor_id: bib, last_name: long, team_id: 'A' })),
      teams: [{ team_id: 'A', team_name: long }],
      events: [
        unitOf('F1', 'HJ', {
          results: people.map((bib) => ({ bib })),
          heights,
          trials: heights.map((height) => ({ bib: '1', height, result: 'o' })),
        }),
        unitOf('F2', 'LJ', {
          results: people.map((bib) => ({ bib })),
          trials: people.map((bib, round) => ({ bib, round: round + 1, result: '6.12', wind: '+0.3' })),
        }),
        unitOf('T1', '100', {
          results: people.map((bib, index) => ({
            bib,
            lane: index + 1,
            performance: 'DQ TR16.8',
            qualified: 'Q',
            notes: 'NR PB',
          })),
        }),
      ],
    });
    const tab = await openTab({ viewport: { width: 1280, height: 720 } });
    const seen: string[] = [];
    for (const [theme, width, height] of [
      ['dark', 1280, 720],
      ['lowres', 384, 192],
    ] as const) {
      await tab.setViewportSize({ width, height });
      for (const id of ['F1', 'F2', 'T1']) {
        await tab.goto(`${meeting.pageOf(id)}screen/?theme=${theme}`);
        await tab.locator('main.paged').waitFor();
        const { most, narrowest } = await tab.evaluate(() => {
          const boxes = [...document.querySelectorAll('tr > *')].map((cell) => cell.getBoundingClientRect());
          const names = [...document.querySelectorAll('tbody th')].map((cell) => cell.clientWidth);
          return {
            most: Math.max(...boxes.map(({ right }) => right)),
            narrowest: Math.min(...names.filter(Boolean)),
          };
        });
        if (most > width || narrowest < width / 10) seen.push(`${theme} ${id}: ${most}, ${narrowest}`);
      }
    }
    expect(seen).toEqual([]);
  });

  test('a screen that nobody told what to show goes on to what is live', async () => {
    const meeting = await server.meeting();
    const tab = await openTab();
    await tab.goto(`${meeting.page}screen/`);
    await tab.locator('[data-live=connected]').waitFor();
    await expect(tab.locator('[data-unit]').count()).resolves.toBe(3);
    await meeting.attempt('F2', { bib: '12', height: '1.50', attempt: 1, result: 'o' });
    await tab.locator('[data-unit="F2-1-1"][data-state=live]').waitFor();
    await tab.waitForFunction(() => document.querySelectorAll('[data-unit]').length === 1);
  });

  test('a lower third tells of an attempt, and no longer than it is held', async () => {
    const meeting = await server.meeting();
    const tab = await openTab({ viewport: { width: 1920, height: 1080 } });
    await tab.goto(`${meeting.pageOf('F1')}overlay/?hold=2&key=00ff00`);
    await tab.waitForFunction(() => typeof window.update === 'function');
    await expect(tab.locator('.lower-third').count()).resolves.toBe(0);
    const background = await tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(background).toBe('rgb(0, 255, 0)');
    // Waited for from before the save: it is gone after two seconds.
    await Promise.all([
      tab.locator('.lower-third[data-bib="11"] [data-cell=performance]:text-is("6.12")').waitFor(),
      meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' }),
    ]);
    await tab.locator('.lower-third').waitFor({ state: 'detached' });
  });

  test('a graphic is played, stopped and changed by the program that shows it', async () => {
    const meeting = await server.meeting();
    const tab = await openTab({ viewport: { width: 1920, height: 1080 } });
    await tab.goto(`${meeting.page}overlay/?show=table&rows=2`);
    const rows = tab.locator('tr[data-bib]:visible');
    await tab.waitForFunction(() => typeof window.update === 'function');
    await expect(rows.count()).resolves.toBe(2);
    // The picture below is seen around the graphic, and not through it.
    await expect(alphaAt(tab, { x: 960, y: 100 })).resolves.toBe(0);
    const table = (await rows.first().boundingBox())!;
    await expect(alphaAt(tab, { x: table.x + 2, y: table.y + 2 })).resolves.toBe(255);
    await tab.evaluate(() => window.stop());
    await expect(rows.count()).resolves.toBe(0);
    await tab.evaluate(() => {
      window.play();
      window.update('{"show": "startlist", "rows": 3}');
      window.update('nonsense');
      window.update({ show: 'nonsense' });
    });
    await tab.locator('tr[data-bib]:visible >> nth=2').waitFor();
    await expect(tab.locator('td[data-cell=lane], td[data-cell=order]').count()).resolves.toBeGreaterThan(0);
  });
});
