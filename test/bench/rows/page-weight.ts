// The scripts and styles of every page as they are sent, against the budget.
import { Agent } from 'node:http';
import {
  askedOnce,
  BUDGETS,
  inKb,
  KB,
  type Weight,
  weightOf,
  weightText,
} from '../../helpers/page-weight.ts';
import { MEETING } from '../../screenshots/meeting.ts';
import { PAGES } from '../../screenshots/pages.ts';
import { request } from '../request.ts';
import type { Row } from '../row.ts';
import { startServer } from '../server.ts';

export const pageWeight: Row = {
  row: 18,
  name: 'scripts of the heaviest page, gzip | the budget',
  unit: 'kB',
  target: { atMost: 1 },
  async measure(bench) {
    const server = await startServer(bench);
    await server.api('POST', '/competitions/', JSON.stringify(MEETING));
    const agent = new Agent({ keepAlive: true });
    bench.afterwards(() => agent.destroy());
    const ask = (path: string, headers = {}) => request({ url: server.baseUrl + path, agent, headers });
    const bytesOf = askedOnce(async (path) => (await ask(path, { 'accept-encoding': 'gzip' })).body.length);
    const weights: (Weight & { name: string })[] = [];
    for (const { name, path } of PAGES)
      weights.push({ name, ...(await weightOf((await ask(path)).body.toString(), bytesOf)) });
    // Screens have a budget of their own.
    const spectators = weights.filter(({ name }) => !name.startsWith('screen'));
    const heaviest = spectators.reduce((one, other) => (other.scripts > one.scripts ? other : one));
    return {
      value: heaviest.scripts / KB,
      floor: BUDGETS.scripts / KB,
      notes: [`${heaviest.name}: ${weightText(heaviest)}`],
      broken: weights
        .filter(({ styles }) => styles > BUDGETS.styles)
        .map(({ name, styles }) => `${name} has ${inKb(styles)} kB of styles`),
    };
  },
};
