// The ticker: the last attempts and results of a competition, the newest first.
import type { Words } from '../locales/en.ts';
import type { TickerItem } from '../unit/ticker.ts';
import { Marks, Performance } from './marks.tsx';

type Unit = { eventId: string; round: number; heat: number };
type Props = { items: TickerItem[]; hrefOf: (unit: Unit) => string; words: Words };

export const Ticker = ({ items, hrefOf, words }: Props) => (
  <section class="block ticker" aria-label={words.latest} data-region="ticker">
    <h2>{words.latest}</h2>
    {items.length === 0 && <p class="quiet">{words.nothingYet}</p>}
    <ol>
      {items.map((item, index) => (
        <li key={index} class={item.kind}>
          <a
            href={hrefOf({ eventId: item.unit.event_id, round: item.unit.round_no, heat: item.unit.heat_no })}
          >
            {item.unit.event_name} · {item.unit.heat_name}
          </a>
          <span class="who">{item.kind === 'results' ? words.wonBy(item.name) : item.name}</span>{' '}
          <strong>
            <Mark item={item} words={words} />
          </strong>
        </li>
      ))}
    </ol>
  </section>
);

function Mark({ item: { kind, mark }, words }: { item: TickerItem; words: Words }) {
  if (kind === 'results') return <Performance text={mark} words={words} />;
  const [first = '', marks] = mark.split(' ');
  if (marks === undefined) return <Marks text={first} words={words} />;
  return (
    <>
      {first} <Marks text={marks} words={words} />
    </>
  );
}
