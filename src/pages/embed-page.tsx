// Pages for frames on other sites: a unit, or a competition at a glance, without anything around it.
import type { Address } from '../addresses.ts';
import { readOverview } from '../site/documents/overview.ts';
import type { Overview } from '../site/documents/overview-shape.ts';
import { LiveUnitBlock } from './components/live-unit-block.tsx';
import { OverviewView } from './components/overview-view.tsx';
import { competitionPath, jsonOf, type PageOfCompetition, unitPath } from './definition.ts';
import { LiveBar } from './frame/page-frame.tsx';
import type { Bare, Page } from './frame/page.ts';
import { oneOf } from './unit/asked.ts';
import { readShownUnit, type ShownUnit, unitOfPath, type UnitOfPath } from './unit-of-overview.ts';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

export const unitEmbed: PageOfCompetition = {
  path: '/event/:event_id/:round_no/:heat_no/embed',
  noun: 'unit',
  reading: 'snapshot',
  framed: true,
  part(params, query) {
    const key = unitOfPath(params)!;
    const theme = oneOf(query['theme'], THEMES, 'auto');
    return {
      key: `embed ${theme} ${key.round} ${key.heat} ${key.eventId}`,
      async read(db, id, address) {
        const found = await readShownUnit(db, id, { key, address });
        if (!found) return null;
        const { overview, revision, shown } = found;
        return { page: unitPage({ overview, shown, key, address, theme }), revision };
      },
    };
  },
};

export const competitionEmbed: PageOfCompetition = {
  path: '/embed',
  noun: 'competition',
  reading: 'snapshot',
  framed: true,
  part(_params, query) {
    const theme = oneOf(query['theme'], THEMES, 'auto');
    return {
      key: `embed ${theme}`,
      async read(db, id, address) {
        const found = await readOverview(db, id);
        if (!found) return null;
        return { page: competitionPage(found.document, address, theme), revision: found.revision };
      },
    };
  },
};

const bareIn = (theme: Theme): Bare => ({
  styles: ['pages.css', 'embed.css'],
  pageScript: true,
  scripts: [],
  theme: theme === 'auto' ? undefined : theme,
  linksLeave: true,
});

type UnitEmbed = {
  overview: Overview;
  shown: ShownUnit;
  key: UnitOfPath;
  address: Address;
  theme: Theme;
};

function unitPage({ overview, shown, key, address, theme }: UnitEmbed): Page {
  const { unit, live } = shown;
  const path = unitPath(address, key);
  return {
    name: 'embed',
    title: `${unit.event_name} · ${unit.heat_name} · ${overview.full_name}`,
    path: `${path}embed/`,
    json: `${path}json/`,
    hidden: true,
    live: { push: overview.push_notifications, finish: overview.finish_date },
    drawsUnits: true,
    bare: bareIn(theme),
    main: (setting) => (
      <>
        <LiveUnitBlock
          unit={unit}
          setting={setting}
          live={{ ...live, base: setting.prefix + competitionPath(address) }}
        />
        <LiveBar setting={setting} />
        <p class="source">
          <a href={setting.prefix + path}>{overview.full_name}</a>
        </p>
      </>
    ),
  };
}

function competitionPage(overview: Overview, address: Address, theme: Theme): Page {
  const path = competitionPath(address);
  return {
    name: 'embed',
    title: overview.full_name,
    path: `${path}embed/`,
    json: jsonOf(`${path}overview/`),
    hidden: true,
    live: {
      push: overview.push_notifications,
      finish: overview.finish_date,
      regions: overview.channels.overview,
    },
    bare: bareIn(theme),
    main: (setting) => (
      <>
        <h1>
          <a href={setting.prefix + path}>{overview.full_name}</a>
        </h1>
        <div data-region="overview">
          <OverviewView overview={overview} words={setting.words} base={setting.prefix + path} />
        </div>
        <LiveBar setting={setting} />
      </>
    ),
  };
}
