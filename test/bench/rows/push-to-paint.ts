// How long after a page has received an event the new mark is on the screen, in a real browser.
import { setTimeout as sleep } from 'node:timers/promises';
import { inMs, percentile } from '../../helpers/figures.ts';
import { CHROMIUM_MISSING, launchChromium } from '../../helpers/chromium.ts';
import { MEETING, MEETING_PATH } from '../../screenshots/meeting.ts';
import { median, type Row } from '../row.ts';
import { startServer } from '../server.ts';
import { idOf } from '../upload.ts';

const PER_SECOND = 20;
const ROUND_SECONDS = 4;
const LIMIT_MS = 100;

// Times run from the frame of the WebSocket until the browser has painted a mark that is as new.
const WATCH = `
  const samples = (window.samples = []);
  const shown = () => Number(document.querySelector('tr[data-bib="101"] td[data-cell=performance]').textContent);
  const afterPaint = (then) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = then;
    channel.port2.postMessage(0);
  });
  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      this.addEventListener('message', ({ data }) => {
        const { event, data: text } = JSON.parse(data);
        if (event !== 'unit') return;
        const at = performance.now();
        const mark = Number(JSON.parse(text).results.find(({ bib }) => bib === '101').performance);
        const look = () => (shown() >= mark ? samples.push(performance.now() - at) : afterPaint(look));
        afterPaint(look);
      });
    }
  };`;

export const pushToPaint: Row = {
  row: 17,
  name: `p99 from push received to painted in Chromium, ${PER_SECOND} saves/s | the budget`,
  unit: 'ms',
  target: { atMost: 1 },
  async measure(bench) {
    if (CHROMIUM_MISSING) return { unavailable: `not measured: ${CHROMIUM_MISSING}` };
    const server = await startServer(bench);
    const id = idOf(await server.api('POST', '/competitions/', JSON.stringify(MEETING)));
    await server.api('PATCH', `/competitions/${id}/settings`, JSON.stringify({ push_notifications: true }));
    const browser = await launchChromium();
    bench.afterwards(() => browser.close());
    const tab = await browser.newPage();
    await tab.addInitScript({ content: WATCH });
    await tab.goto(`${server.baseUrl}${MEETING_PATH}event/T2/1/1/`);
    await tab.locator('[data-live=connected]').waitFor();
    const unit = `/competitions/${id}/events/T2/units/1/1`;
    const { results } = MEETING.events.find(({ event_id }) => event_id === 'T2')!.units[0] as {
      results: object[];
    };
    let mark = 10_000;
    const round = async () => {
      await tab.evaluate('samples.length = 0');
      const saves: Promise<unknown>[] = [];
      for (let n = 0; n < PER_SECOND * ROUND_SECONDS; n += 1) {
        const performance = ((mark += 1) / 100).toFixed(2);
        const body = JSON.stringify({ results: results.map((result) => ({ ...result, performance })) });
        saves.push(server.api('PATCH', unit, body));
        await sleep(1000 / PER_SECOND);
      }
      await Promise.all(saves);
      await sleep(300);
      return tab.evaluate<number[]>('samples');
    };
    await round();
    const rounds: number[][] = [];
    for (let n = 0; n < bench.effort.rounds; n += 1) rounds.push(await round());
    const p99 = rounds.map((samples) => percentile(samples, 0.99));
    const typical = median(rounds.map((samples) => percentile(samples, 0.5)));
    const painted = rounds.flat().length;
    return {
      value: median(p99),
      floor: LIMIT_MS,
      notes: [
        `p50 ${inMs(typical)}; ${painted} events of ${rounds.length * PER_SECOND * ROUND_SECONDS} saves`,
      ],
      broken: painted === 0 ? ['nothing was painted'] : [],
    };
  },
};
