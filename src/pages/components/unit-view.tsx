// A unit: its caption, state and table. Drawn on the server first, and again in the browser at each save.
import { isRelay } from '../../units/rules/disciplines.ts';
import { codesIn } from '../unit/codes.ts';
import type { Contest } from '../unit/live-unit.ts';
import { kindOf } from '../unit/kind.ts';
import { inOrder, type Order } from '../unit/order.ts';
import { type UnitState, unitState } from '../unit/state.ts';
import { turnOf } from '../unit/turn.ts';
import { numberOf, signedWind, textOf, type Unit, unitName } from '../unit/unit.ts';
import { anyHas, type View } from './cells.tsx';
import { HorizontalTable } from './horizontal-table.tsx';
import { Legend } from './marks.tsx';
import { laneOf, RaceTable } from './race-table.tsx';
import { StateChip } from './state-chip.tsx';
import { VerticalTable } from './vertical-table.tsx';

export type UnitViewProps = {
  unit: Unit;
  view: View;
  contest: Contest;
  /** Whether other events name this one as theirs. */
  isParent: boolean;
  order: Order;
  /** Whether the heading names the event too: where units of several events stand side by side. */
  withEvent?: boolean;
  /** Path of the unit's own page, where this is another. */
  page?: string;
};

export function UnitView({
  unit,
  view: given,
  contest,
  isParent,
  order,
  withEvent = false,
  page,
}: UnitViewProps) {
  const view = { ...given, turn: turnOf(unit, contest) };
  const { words } = view;
  const state = unitState(unit);
  const kind = kindOf(unit, isParent);
  const results = inOrder(unit.results ?? [], state === 'seeded' ? 'start' : order);
  const name = withEvent ? `${unit.event_name} · ${unit.heat_name}` : unit.heat_name;
  return (
    <section
      class={`unit ${kind}${anyHas(results, laneOf) ? ' lanes' : ''}`}
      data-unit={unitName(unit)}
      data-revision={unit.revision}
      data-state={state}
    >
      {state === 'provisional' && <p class="banner">{words.provisionalBanner}</p>}
      {results.length === 0 ? (
        <Empty {...{ unit, name, page, state, view }} />
      ) : (
        <div class="scroll" role="region" aria-label={name} tabindex={0}>
          <table>
            <caption>
              <UnitName name={name} page={page} /> <StateChip state={state} words={words} />
              <Facts unit={unit} state={state} view={view} />
            </caption>
            {kind === 'vertical' && <VerticalTable {...{ unit, results, view }} />}
            {kind === 'horizontal' && <HorizontalTable {...{ unit, results, contest, view }} />}
            {kind !== 'vertical' && kind !== 'horizontal' && <RaceTable {...{ results, view }} />}
          </table>
        </div>
      )}
      <Legend codes={codesIn(unit)} words={words} />
    </section>
  );
}

type NameProps = { name: string; page: string | undefined };

const UnitName = ({ name, page }: NameProps) => (
  <span class="name">{page === undefined ? name : <a href={page}>{name}</a>}</span>
);

type EmptyProps = NameProps & { unit: Unit; state: UnitState; view: View };

function Empty({ unit, name, page, state, view: { words } }: EmptyProps) {
  const waits = state === 'before' || state === 'seeded' || state === 'postponed';
  return (
    <div class="empty">
      <h2>
        <UnitName name={name} page={page} /> <StateChip state={state} words={words} />
      </h2>
      {unit.scheduled_start_time && <p>{words.scheduled(unit.scheduled_start_time)}</p>}
      <p>{waits ? words.noStartList : words.noResults}</p>
    </div>
  );
}

type FactsProps = { unit: Unit; state: UnitState; view: View };

/**
 * Time and wind, and since when results are as they are: who comes back sees that they were changed.
 * Above +2.0 m/s no mark counts for records (TR 17.14).
 */
function Facts({ unit, state, view: { words, momentOf } }: FactsProps) {
  const wind = textOf(unit.wind_assistance);
  const aided = !isRelay(unit.event_code) && (numberOf(wind.replace('+', '')) ?? 0) > 2;
  const time = textOf(unit.scheduled_start_time);
  return (
    <span class="facts">
      {time && <span class="time">{time}</span>}
      {wind && (
        <span class={aided ? 'wind aided' : 'wind'} data-cell="wind">
          {words.windCaption(signedWind(wind))}
          {aided && <span class="spoken"> ({words.windAided})</span>}
        </span>
      )}
      {(state === 'provisional' || state === 'official') && (
        <time class="as-of" datetime={unit.updated_at}>
          {words.updated(momentOf(unit.updated_at))}
        </time>
      )}
    </span>
  );
}
