// The page of a unit: its table, live, and the other units of its event.
import type { Address } from '../addresses.ts';
import { pathNumber } from '../http/path.ts';
import { isField } from '../units/rules/disciplines.ts';
import { LiveUnitBlock } from './components/live-unit-block.tsx';
import { StateChip } from './components/state-chip.tsx';
import { Trail } from './components/trail.tsx';
import { UnitChart } from './components/unit-chart.tsx';
import { competitionPath, eventPath, jsonOf, type PageOfCompetition, unitPath } from './definition.ts';
import type { Page, Setting } from './frame/page.ts';
import type { Words } from './locales/en.ts';
import { readUnitOfPage, type Sibling, type UnitOfPage } from './store.ts';
import { chartOf } from './unit/charts.ts';
import { kindOf } from './unit/kind.ts';
import { contestOf } from './unit/live-unit.ts';
import type { Order } from './unit/order.ts';
import { unitState } from './unit/state.ts';
import type { Unit } from './unit/unit.ts';

export const unitPage: PageOfCompetition = {
  path: '/event/:event_id/:round_no/:heat_no',
  noun: 'unit',
  reading: 'one statement',
  part({ event_id, round_no, heat_no }, query) {
    const eventId = event_id!;
    const round = pathNumber(round_no, 'unit');
    const heat = pathNumber(heat_no, 'unit');
    const order: Order = query['order'] === 'start' ? 'start' : 'place';
    const announcer = query['view'] === 'announcer';
    return {
      key: `unit ${announcer ? 'announcer ' : ''}${order} ${round} ${heat} ${eventId}`,
      async read(db, competitionId, address) {
        const found = await readUnitOfPage(db, { competitionId, eventId, round, heat });
        return found && { page: pageOf(found, address, { order, announcer }), revision: found.revision };
      },
    };
  },
};

type Shown = { order: Order; announcer: boolean };

function pageOf(
  { text, competition, event, siblings }: UnitOfPage,
  address: Address,
  { order, announcer }: Shown,
): Page {
  const unit = JSON.parse(text) as Unit;
  const path = unitPath(address, { eventId: unit.event_id, round: unit.round_no, heat: unit.heat_no });
  const chart = announcer ? undefined : chartOf(unit, kindOf(unit, event.isParent));
  // Attempts may come at any time; of races only those with splits have one.
  const charted = !announcer && (chart !== undefined || isField(unit.event_code));
  const title = `${unit.event_name} · ${unit.heat_name}`;
  return {
    name: 'unit',
    title: `${title} · ${competition.name}`,
    description: `${title}, ${competition.name}`,
    path,
    json: `${path}json/`,
    live: {
      push: competition.push,
      finish: competition.finishDate,
      // Its chart is drawn on the server alone: browsers ask for it again at each save.
      ...(charted && { regions: unit.channel }),
    },
    drawsUnits: true,
    embeddable: true,
    main: (setting) => (
      <>
        <Trail
          label={setting.words.toCompetition}
          links={[
            { href: setting.prefix + competitionPath(address), text: competition.name },
            { href: setting.prefix + eventPath(address, unit.event_id), text: unit.event_name },
          ]}
        />
        <h1>
          <a href={setting.prefix + eventPath(address, unit.event_id)}>{unit.event_name}</a>
        </h1>
        <LiveUnitBlock
          unit={unit}
          setting={setting}
          live={{
            url: jsonOf(path),
            channel: unit.channel,
            base: setting.prefix + competitionPath(address),
            contest: contestOf(event.record),
            isParent: event.isParent,
            order,
            ...(announcer && { announcer }),
          }}
        />
        {charted && (
          <div class="charts" data-region="chart">
            {chart && <UnitChart unit={unit} chart={chart} words={setting.words} />}
          </div>
        )}
        <Views unit={unit} announcer={announcer} path={setting.prefix + path} words={setting.words} />
        <Siblings siblings={siblings} unit={unit} setting={setting} address={address} />
      </>
    ),
  };
}

type ViewsProps = { unit: Unit; announcer: boolean; path: string; words: Words };

/** Field events alone have an order in which somebody is up. */
function Views({ unit, announcer, path, words }: ViewsProps) {
  if (!isField(unit.event_code)) return null;
  return (
    <p class="views">
      {announcer ? (
        <a href={path}>{words.normalView}</a>
      ) : (
        <a href={`${path}?view=announcer`}>{words.announcerView}</a>
      )}
    </p>
  );
}

type SiblingsProps = { siblings: Sibling[]; unit: Unit; setting: Setting; address: Address };

function Siblings({ siblings, unit, setting, address }: SiblingsProps) {
  const { words, prefix } = setting;
  if (siblings.length < 2) return null;
  return (
    <nav class="siblings" aria-label={words.otherUnits}>
      <ul>
        {siblings.map(({ round, heat, heatName, status, resultsStatus }) => (
          <li key={`${round}/${heat}`}>
            <a
              href={prefix + unitPath(address, { eventId: unit.event_id, round, heat })}
              aria-current={round === unit.round_no && heat === unit.heat_no ? 'page' : undefined}
            >
              {heatName}
            </a>{' '}
            <StateChip state={unitState({ status, results_status: resultsStatus })} words={words} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
