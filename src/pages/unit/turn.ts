// The turn in a field event: who is up and who comes next, as far as order and attempts tell. Pure.
import { isHorizontal, isVertical } from '../../units/rules/disciplines.ts';
import { centimetres, parseSymbol } from '../../units/rules/marks.ts';
import { isDecided } from '../../units/rules/places.ts';
import { seriesByBib } from '../../units/rules/series.ts';
import { isRetirement, jumpOffOf, verticalCard } from '../../units/rules/standings.ts';
import type { Contest } from './live-unit.ts';
import { inOrder } from './order.ts';
import { roundsOf } from './series.ts';
import { unitState } from './state.ts';
import { numberOf, textOf, type Trial, type Unit } from './unit.ts';

export type Turn = {
  /** Bib of who is up. */
  current?: string;
  next?: string;
  /** Of the current athlete's attempt: in throws and horizontal jumps. */
  round?: number;
  /** Likewise, in vertical ones. */
  height?: string;
};

/** Empty unless the unit is under way, and where the attempts do not tell. */
export function turnOf(unit: Unit, contest: Contest): Turn {
  if (unitState(unit) !== 'live') return {};
  if (isVertical(unit.event_code)) return verticalTurn(unit);
  return isHorizontal(unit.event_code) ? horizontalTurn(unit, contest) : {};
}

/** Who is still in, in start order. */
function competing(unit: Unit): { order: string[]; own: (bib: string) => Trial[] } {
  const series = seriesByBib(unit.trials ?? []);
  const own = (bib: string) => series.get(bib) ?? [];
  const order = inOrder(unit.results ?? [], 'start')
    .filter((result) => !isDecided(result))
    .map(({ bib }) => bib)
    .filter((bib) => !own(bib).some(isRetirement));
  return { order, own };
}

type Up = { bib: string; round?: number; height?: string };

const asTurn = ([current, ...later]: Up[]): Turn => {
  if (!current) return {};
  const { bib, ...attempt } = current;
  const next = later.find((one) => one.bib !== bib);
  return { current: bib, ...attempt, ...(next && { next: next.bib }) };
};

/** Those after an athlete, then those before: who was passed over in a round still has the attempt. */
function following(order: string[], last: string | undefined): string[] {
  const at = last === undefined ? -1 : order.indexOf(last);
  return [...order.slice(at + 1), ...order.slice(0, at + 1)];
}

function lastOf(trials: Trial[], holds: (trial: Trial) => boolean): Trial | undefined {
  let last: Trial | undefined;
  for (const trial of trials) if (holds(trial)) last = trial;
  return last;
}

function horizontalTurn(unit: Unit, contest: Contest): Turn {
  const { order, own } = competing(unit);
  const rounds = roundsOf(unit, contest.maxAttempts);
  const trials = unit.trials ?? [];
  const present = Math.max(1, ...trials.map(({ round }) => Math.min(round ?? 0, 100)));
  const last = lastOf(trials, ({ round }) => round === present)?.bib;
  const has = (bib: string, round: number) => own(bib).some((trial) => trial.round === round);
  const survivors = survivorsOf(unit, contest, order);
  // Who left out the round before is not waited for.
  const inRound = (round: number) =>
    order.filter((bib) => (round === 1 || has(bib, round - 1)) && survivors(bib, round));
  const left = following(inRound(present), last).filter((bib) => !has(bib, present));
  // Of the next round all who are in this one: the attempts of it that are missing are still to come.
  const then = present < rounds ? inRound(present).filter((bib) => survivors(bib, present + 1)) : [];
  return asTurn([
    ...left.map((bib) => ({ bib, round: present })),
    ...then.map((bib) => ({ bib, round: present + 1 })),
  ]);
}

const USUAL_SURVIVORS = 8;

/** TR 25.6: after the cut the best eight go on, and who ties for the last of their places. */
function survivorsOf(unit: Unit, contest: Contest, order: string[]) {
  const cut = numberOf(unit['cut_after_round'] ?? contest.cutAfterRound) ?? 0;
  const most = numberOf(unit['cut_survivors'] ?? contest.cutSurvivors) ?? USUAL_SURVIVORS;
  if (cut <= 0 || order.length <= most) return () => true;
  // Nobody who was cut off overtakes anybody later: the places of the moment tell.
  const places = new Map((unit.results ?? []).map(({ bib, place }) => [bib, place]));
  return (bib: string, round: number) => round <= cut || (places.get(bib) ?? Infinity) <= most;
}

const shown = (height: number) => (height / 100).toFixed(2);

function verticalTurn(unit: Unit): Turn {
  const { order, own } = competing(unit);
  const trials = unit.trials ?? [];
  const last = trials[trials.length - 1];
  if (last && jumpOffOf(last) > 0) return jumpOffTurn(last, { order, own });
  const inContest = order.filter((bib) => !verticalCard(own(bib)).out);
  const bars = [...(unit.heights ?? []), ...trials.map(({ height }) => height)]
    .map(textOf)
    .filter((height) => centimetres(height) !== undefined);
  const heights = [...new Set(bars.map((bar) => centimetres(bar)!))].sort((one, other) => one - other);
  const present = last ? centimetres(textOf(last.height)) : heights[0];
  if (present === undefined) return {};
  const at = (bib: string) => own(bib).filter(({ height }) => centimetres(textOf(height)) === present);
  const over = (bib: string) => at(bib).some(({ result }) => parseSymbol(textOf(result)) !== 'x');
  const tries = last ? at(last.bib).length : 1;
  const waiting = inContest.filter((bib) => !over(bib));
  const after = last ? order.slice(order.indexOf(last.bib) + 1) : order;
  // Who was passed over before has passed without a word, as many do at low heights.
  const now = after.filter((bib) => waiting.includes(bib) && at(bib).length === tries - 1);
  const again = waiting.filter((bib) => at(bib).length === tries && tries < 3);
  const up = [...now, ...again].map((bib) => ({ bib, height: shown(present) }));
  const next = heights.find((height) => height > present);
  const atNext =
    next === undefined
      ? []
      : inContest
          .filter((bib) => !again.includes(bib) && !now.includes(bib))
          .map((bib) => ({ bib, height: shown(next) }));
  return asTurn([...up, ...atNext]);
}

// One attempt each (TR 26.8.4); who is in it is known once they have jumped in it.
function jumpOffTurn(last: Trial, { order, own }: ReturnType<typeof competing>): Turn {
  const number = jumpOffOf(last);
  const taken = (bib: string, of: number) => own(bib).some((trial) => jumpOffOf(trial) === of);
  const rest = following(order, last.bib).filter(
    (bib) => number > 1 && taken(bib, number - 1) && !taken(bib, number),
  );
  return asTurn(rest.map((bib) => ({ bib, height: textOf(last.height) })));
}
