// A unit for who speaks in the stadium: who is up, what they need, who is next; then the whole table. In large type.
import type { PageWords } from '../locales/unit-words.ts';
import { type Need, needsOf } from '../unit/needs.ts';
import { shownPlace } from '../unit/order.ts';
import { type Turn, turnOf } from '../unit/turn.ts';
import { nameOf, textOf, type Unit } from '../unit/unit.ts';
import { UnitView, type UnitViewProps } from './unit-view.tsx';

export function AnnouncerView({ words, ...props }: UnitViewProps & { words: PageWords }) {
  const { unit, contest } = props;
  const turn = turnOf(unit, contest);
  return (
    <div class="announcer">
      {turn.current !== undefined && <Up unit={unit} turn={turn} words={words} />}
      <UnitView {...props} />
    </div>
  );
}

type UpProps = { unit: Unit; turn: Turn; words: PageWords };

function Up({ unit, turn, words }: UpProps) {
  const { leads, needs } = needsOf(unit, turn);
  return (
    <section class="up-now" aria-label={words.up} data-announced={turn.current}>
      <h2>{words.up}</h2>
      <p class="who">
        <Person unit={unit} bib={turn.current!} />
      </p>
      <p class="facts">
        {turn.height !== undefined && <span>{words.atHeight(turn.height)}</span>}
        {turn.round !== undefined && <span>{words.inRound(turn.round)}</span>}
        <Standing unit={unit} bib={turn.current!} words={words} />
      </p>
      {leads && <p class="needs">{words.leads}</p>}
      {needs.length > 0 && (
        <dl class="needs" aria-label={words.needs}>
          {needs.map((need) => (
            <div key={`${need.place} ${need.shared}`} data-need={need.place}>
              <dt>{need.mark}</dt>
              <dd>{meaningOf(need, words)}</dd>
            </div>
          ))}
        </dl>
      )}
      {turn.next !== undefined && (
        <p class="next">
          {words.upNext}: <Person unit={unit} bib={turn.next} />
        </p>
      )}
    </section>
  );
}

function meaningOf({ place, shared }: Need, words: PageWords): string {
  if (shared) return words.toShare(place);
  return place === 1 ? words.toLead : words.toTake(place);
}

const resultOf = (unit: Unit, bib: string) => unit.results?.find((result) => result.bib === bib) ?? { bib };

function Person({ unit, bib }: { unit: Unit; bib: string }) {
  const result = resultOf(unit, bib);
  const team = textOf(result.athlete_name) === '' ? '' : textOf(result.team_name);
  return (
    <>
      <strong>{nameOf(result)}</strong> {[bib, team].filter(Boolean).join(' · ')}
    </>
  );
}

function Standing({ unit, bib, words }: { unit: Unit; bib: string; words: PageWords }) {
  const result = resultOf(unit, bib);
  const [place, best] = [shownPlace(result), textOf(result.performance)];
  return (
    <>
      {best !== '' && (
        <span>
          {words.best} {best}
        </span>
      )}
      {place !== '' && (
        <span>
          {words.place} {place}
        </span>
      )}
    </>
  );
}
