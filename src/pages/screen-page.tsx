// The big screen of a competition, an event or a unit: tables as large as the screen, page by page.
import type { Address } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { readOverview } from '../site/documents/overview.ts';
import type { Overview } from '../site/documents/overview-shape.ts';
import { LiveUnitBlock } from './components/live-unit-block.tsx';
import { QrCode } from './components/qr-code.tsx';
import { competitionPath, eventPath, type PageOfCompetition, type Query, unitPath } from './definition.ts';
import { LiveBar } from './frame/page-frame.tsx';
import type { Page, Setting } from './frame/page.ts';
import { isOn, oneOf, unitsAsked, within } from './unit/asked.ts';
import { chosenLines, type Line } from './unit/chosen.ts';
import { unitName } from './unit/unit.ts';
import { lineOf, readShownUnits, type ShownUnit, unitOfPath, type UnitOfPath } from './unit-of-overview.ts';

const THEMES = ['dark', 'light', 'lowres'] as const;

/** A board of lamps has room for few rows. */
const USUAL_ROWS = { dark: 8, light: 8, lowres: 4 };

function wishesOf(query: Query) {
  const theme = oneOf(query['theme'], THEMES, 'dark');
  return {
    theme,
    rows: Math.trunc(within(query['rows'], { least: 1, most: 40, usual: USUAL_ROWS[theme] })),
    seconds: within(query['page'], { least: 2, most: 600, usual: 10 }),
    scale: within(query['scale'], { least: 0.5, most: 3, usual: 1 }),
    clock: isOn(query['clock']),
    qr: isOn(query['qr']),
  };
}

type Wishes = ReturnType<typeof wishesOf>;

const screenAt = (path: string, noun: string): PageOfCompetition => ({
  path: `${path}/screen`,
  noun,
  reading: 'snapshot',
  part(params, query) {
    const unit = unitOfPath(params);
    const eventId = params['event_id'];
    const wishes = wishesOf(query);
    const asked = unit ? [unit] : unitsAsked(query['units']);
    return {
      key: `screen ${JSON.stringify([eventId, asked, wishes])}`,
      async read(db, id, address) {
        const found = await readOverview(db, id, eventId);
        if (!found) return null;
        const { document: overview, revision } = found;
        if (unit && !lineOf(overview, unit)) return null;
        const lines = linesFor(overview, asked);
        return { page: await pageOf(db, id, { overview, wishes, address, eventId, unit, lines }), revision };
      },
    };
  },
});

export const SCREENS = [
  screenAt('', 'competition'),
  screenAt('/event/:event_id', 'event'),
  screenAt('/event/:event_id/:round_no/:heat_no', 'unit'),
];

/** Those asked for that there are; else those that a spectator would look at now. */
function linesFor(overview: Overview, asked: UnitOfPath[]): Line[] {
  const found = asked.flatMap((key) => lineOf(overview, key) ?? []);
  return found.length > 0 ? found : chosenLines(overview);
}

type Screen = {
  overview: Overview;
  wishes: Wishes;
  address: Address;
  eventId: string | undefined;
  unit: UnitOfPath | undefined;
  lines: Line[];
};

async function pageOf(db: Executor, id: string, screen: Screen): Promise<Page> {
  const { overview, wishes, address, lines } = screen;
  const shown = await readShownUnits(db, id, { lines, address });
  const path = pathOf(screen);
  return {
    name: 'screen',
    title: overview.full_name,
    path: `${path}screen/`,
    hidden: true,
    drawsUnits: shown.length > 0,
    live: {
      push: overview.push_notifications,
      finish: overview.finish_date,
      regions: overview.channels.overview,
    },
    bare: {
      styles: ['screen.css'],
      pageScript: true,
      scripts: ['screen.js'],
      theme: wishes.theme,
      data: { 'data-rows': wishes.rows, 'data-seconds': wishes.seconds, 'data-scale': wishes.scale },
    },
    main: (setting) => <Board {...{ overview, wishes, shown, path, setting }} />,
  };
}

function pathOf({ address, eventId, unit }: Screen): string {
  if (unit) return unitPath(address, unit);
  return eventId === undefined ? competitionPath(address) : eventPath(address, eventId);
}

type BoardProps = {
  overview: Overview;
  wishes: Wishes;
  shown: ShownUnit[];
  path: string;
  setting: Setting;
};

function Board({ overview, wishes, shown, path, setting }: BoardProps) {
  const { words } = setting;
  return (
    <>
      <header class="board-head">
        <h1>{overview.full_name}</h1>
        {wishes.clock && <span class="clock" data-clock />}
      </header>
      <div class="board">
        {shown.length === 0 && <p class="nothing">{words.nothingYet}</p>}
        {shown.map(({ unit, live }) => (
          <LiveUnitBlock key={unit.channel} unit={unit} setting={setting} live={live} />
        ))}
        {wishes.qr && <QrCode text={setting.origin + setting.prefix + path} label={overview.full_name} />}
      </div>
      <footer class="board-foot">
        <LiveBar setting={setting} />
        <span data-pages />
      </footer>
      {/* Others than these are shown after the screen has been loaded anew. */}
      <p data-region="units" hidden>
        {shown.map(({ unit }) => unitName(unit)).join(' ')}
      </p>
      <Menu setting={setting} />
    </>
  );
}

const Menu = ({ setting: { words } }: { setting: Setting }) => (
  <div class="menu" role="dialog" aria-label={words.menu} hidden>
    <h2>{words.menu}</h2>
    <button type="button" data-action="previous-page">
      <kbd>[</kbd> {words.previousPage}
    </button>
    <button type="button" data-action="next-page">
      <kbd>]</kbd> {words.nextPage}
    </button>
    <button type="button" data-action="theme">
      <kbd>\</kbd> {words.theme}
    </button>
    <button type="button" data-action="shortcuts" aria-pressed="true">
      {words.shortcuts}
    </button>
    <button type="button" data-action="close">
      <kbd>M</kbd> {words.close}
    </button>
  </div>
);
