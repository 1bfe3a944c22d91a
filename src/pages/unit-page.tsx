// The page of a unit: its table, live, and the other units of its event.
import type { Address } from '../addresses.ts';
import { pathNumber } from '../http/path.ts';
import { LiveUnitBlock } from './components/live-unit-block.tsx';
import { StateChip } from './components/state-chip.tsx';
import { competitionPath, eventPath, jsonOf, type PageOfCompetition, unitPath } from './definition.ts';
import type { Page, Setting } from './frame/page.ts';
import { readUnitOfPage, type Sibling, type UnitOfPage } from './store.ts';
import type { Order } from './unit/order.ts';
import { unitState } from './unit/state.ts';
import type { Unit } from './unit/unit.ts';

export const unitPage: PageOfCompetition = {
  path: '/event/:event_id/:round_no/:heat_no',
  noun: 'unit',
  reading: 'snapshot',
  part({ event_id, round_no, heat_no }, query) {
    const eventId = event_id!;
    const round = pathNumber(round_no, 'unit');
    const heat = pathNumber(heat_no, 'unit');
    const order: Order = query['order'] === 'start' ? 'start' : 'place';
    return {
      key: `unit ${order} ${round} ${heat} ${eventId}`,
      async read(db, competitionId, address) {
        const found = await readUnitOfPage(db, { competitionId, eventId, round, heat });
        return found && { page: pageOf(found, address, order), revision: found.revision };
      },
    };
  },
};

function pageOf({ text, competition, event, siblings }: UnitOfPage, address: Address, order: Order): Page {
  const unit = JSON.parse(text) as Unit;
  const record = JSON.parse(competition.recordText) as { full_name: string };
  const path = unitPath(address, { eventId: unit.event_id, round: unit.round_no, heat: unit.heat_no });
  const title = `${unit.event_name} · ${unit.heat_name}`;
  return {
    name: 'unit',
    title: `${title} · ${record.full_name}`,
    description: `${title}, ${record.full_name}`,
    path,
    json: `${path}json/`,
    live: { push: competition.push, finish: competition.finishDate },
    embeddable: true,
    main: (setting) => (
      <>
        <Trail setting={setting} address={address} competition={record.full_name} />
        <h1>
          <a href={setting.prefix + eventPath(address, unit.event_id)}>{unit.event_name}</a>
        </h1>
        <LiveUnitBlock
          unit={unit}
          words={setting.words}
          live={{
            url: jsonOf(path),
            channel: unit.channel,
            base: setting.prefix + competitionPath(address),
            contest: {
              maxAttempts: event.record['max_field_attempts'],
              cutAfterRound: event.record['cut_after_round'],
            },
            isParent: event.isParent,
            order,
          }}
        />
        <Siblings siblings={siblings} unit={unit} setting={setting} address={address} />
      </>
    ),
  };
}

type TrailProps = { setting: Setting; address: Address; competition: string };

const Trail = ({ setting, address, competition }: TrailProps) => (
  <nav class="trail" aria-label={setting.words.toCompetition}>
    <a href={setting.prefix + competitionPath(address)}>{competition}</a>
  </nav>
);

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
