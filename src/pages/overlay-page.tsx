// The graphic over a television picture, of a unit or of whatever happens in a competition: complete at first paint.
import type { Address } from '../addresses.ts';
import { readOverview } from '../site/documents/overview.ts';
import type { Overview } from '../site/documents/overview-shape.ts';
import { HOLD, OverlayGraphic, ROWS, SHOWS } from './components/overlay-graphic.tsx';
import { competitionPath, jsonOf, type PageOfCompetition, type Query } from './definition.ts';
import type { Page } from './frame/page.ts';
import { oneOf, within } from './unit/asked.ts';
import { chosenLines } from './unit/chosen.ts';
import { readShownUnit, readShownUnits, type ShownUnit, unitOfPath } from './unit-of-overview.ts';

const ALIGNMENTS = ['left', 'center', 'right'] as const;

function wishesOf(query: Query) {
  const key = query['key'] ?? '';
  return {
    show: oneOf(query['show'], SHOWS, 'lower-third'),
    hold: within(query['hold'], HOLD),
    rows: Math.trunc(within(query['rows'], ROWS)),
    align: oneOf(query['align'], ALIGNMENTS, 'left'),
    scale: within(query['scale'], { least: 0.5, most: 3, usual: 1 }),
    key: /^[0-9a-f]{6}$/i.test(key) ? key.toLowerCase() : undefined,
  };
}

type Wishes = ReturnType<typeof wishesOf>;

export const unitOverlay: PageOfCompetition = {
  path: '/event/:event_id/:round_no/:heat_no/overlay',
  noun: 'unit',
  reading: 'snapshot',
  part(params, query) {
    const key = unitOfPath(params)!;
    const wishes = wishesOf(query);
    return {
      key: `overlay ${JSON.stringify([key, wishes])}`,
      async read(db, id, address) {
        const found = await readShownUnit(db, id, { key, address });
        if (!found) return null;
        const { overview, revision, shown } = found;
        return { page: pageOf({ overview, shown, wishes, address, follows: 'unit' }), revision };
      },
    };
  },
};

export const competitionOverlay: PageOfCompetition = {
  path: '/overlay',
  noun: 'competition',
  reading: 'snapshot',
  part(_params, query) {
    const wishes = wishesOf(query);
    return {
      key: `overlay ${JSON.stringify(wishes)}`,
      async read(db, id, address) {
        const found = await readOverview(db, id);
        if (!found) return null;
        const { document: overview, revision } = found;
        const lines = chosenLines(overview).slice(0, 1);
        const [shown] = await readShownUnits(db, id, { lines, address });
        return { page: pageOf({ overview, shown, wishes, address, follows: 'competition' }), revision };
      },
    };
  },
};

type Overlay = {
  overview: Overview;
  shown: ShownUnit | undefined;
  wishes: Wishes;
  address: Address;
  follows: 'unit' | 'competition';
};

function pageOf({ overview, shown, wishes, address, follows }: Overlay): Page {
  const path = competitionPath(address);
  const { show, hold, rows, align, scale, key } = wishes;
  return {
    name: 'overlay',
    title: overview.full_name,
    path: null,
    hidden: true,
    live: { push: overview.push_notifications, finish: overview.finish_date },
    bare: {
      styles: ['overlay.css'],
      scripts: ['overlay.js'],
      data: {
        'data-show': show,
        'data-hold': hold,
        'data-rows': rows,
        'data-align': align,
        'data-scale': scale,
        'data-key': key,
        'data-base': path,
        'data-overview': follows === 'competition' ? jsonOf(`${path}overview/`) : undefined,
        'data-channel': follows === 'competition' ? overview.channels.overview : shown?.live.channel,
        'data-url': shown?.live.url,
      },
    },
    main: (setting) => (
      <div id="graphic">
        {/* Of a lower third only the browser knows whether it is young enough. */}
        <OverlayGraphic
          show={show}
          unit={shown?.unit}
          moment={undefined}
          rows={rows}
          page={0}
          words={setting.words}
        />
      </div>
    ),
  };
}
