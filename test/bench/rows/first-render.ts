// The first reading of a page: what of the processor it takes to read and draw it, beside JSON.stringify of what it shows.
import { connect } from '../../../src/db/client.ts';
import { loadAssets } from '../../../src/pages/assets.ts';
import { htmlOf } from '../../../src/pages/frame/html.ts';
import type { Setting } from '../../../src/pages/frame/page.ts';
import { LANGUAGES } from '../../../src/pages/locales/languages.ts';
import { PAGES_OF_COMPETITIONS } from '../../../src/pages/routes.ts';
import { inMs } from '../../helpers/figures.ts';
import { MEETING } from '../../screenshots/meeting.ts';
import type { Bench } from '../bench.ts';
import { interleaved, median, type Row } from '../row.ts';
import { type BenchServer, startServer } from '../server.ts';
import { create, idOf, nextBig } from '../upload.ts';

const LIMIT_MS = { unit: 3, competition: 30 };
const TIMES = 200;

export const firstRender: Row = {
  row: 16,
  name: 'page of a unit with 16 athletes read and drawn, processor time | JSON.stringify of the unit',
  unit: 'ms',
  target: null,
  async measure(bench) {
    const server = await startServer(bench);
    const draw = await drawerOf(bench, server);
    const meeting = idOf(await server.api('POST', '/competitions/', JSON.stringify(MEETING)));
    const big = nextBig(bench);
    const bigId = idOf(await create(server.api, big));
    const unit = draw('/event/:event_id/:round_no/:heat_no', meeting, MEETING)!;
    const event = MEETING.events.find(({ event_id }) => event_id === 'T2')!;
    const { values, floors } = await interleaved(
      bench.effort.rounds,
      () => processorMs(TIMES, unit),
      () => processorMs(TIMES * 10, () => JSON.stringify(event.units[0])),
    );
    const competition = draw('', bigId, big);
    if (competition) await processorMs(TIMES / 10, competition);
    const ofCompetition = competition && (await processorMs(TIMES / 10, competition));
    return {
      value: median(values),
      floor: median(floors),
      notes: [
        ofCompetition === undefined
          ? 'a competition has no page of its own'
          : `page of a competition with ${big.events.length} events ${inMs(ofCompetition)}`,
      ],
      broken: [...over('unit', median(values)), ...over('competition', ofCompetition)],
    };
  },
};

const over = (what: keyof typeof LIMIT_MS, ms = 0) =>
  ms > LIMIT_MS[what] ? [`the page of a ${what} takes more than ${LIMIT_MS[what]} ms`] : [];

type Shown = { date: string; country_id: string; slug: string };

/** Reads and draws a page as the server does when nobody has asked for it before. */
async function drawerOf(bench: Bench, { databaseUrl, baseUrl }: BenchServer) {
  const db = connect(databaseUrl, () => {}, 1);
  bench.afterwards(() => db.$client.end());
  const assets = await loadAssets();
  const setting: Setting = {
    language: 'en',
    defaultLanguage: 'en',
    words: LANGUAGES.en.words,
    prefix: '',
    origin: baseUrl,
    isOwnOrigin: true,
    pushOrigin: 'ws://localhost',
    asset: assets.path,
    assetImports: assets.imports,
    assetVersion: assets.version,
  };
  return (pagePath: string, id: string, { date, country_id, slug }: Shown) => {
    const page = PAGES_OF_COMPETITIONS.find(({ path }) => path === pagePath);
    const part = page?.part({ event_id: 'T2', round_no: '1', heat_no: '1' }, {});
    const address = { year: Number(date.slice(0, 4)), countryId: country_id, slug };
    return part && (async () => htmlOf((await part.read(db, id, address))!.page, setting));
  };
}

/** What one of so many times takes, of all threads. */
async function processorMs(times: number, work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}
