// The page of a year, or of a country in it: its competitions by month.
import type { ComponentChildren } from 'preact';
import type { Calendar } from './calendar.ts';
import { CompetitionList } from './competition-list.tsx';
import { countryName } from './country-names.ts';
import type { Page, Setting } from './frame/page.ts';
import { stateAmong } from './listed-competition.ts';
import { shownMonth } from './locales/languages.ts';
import { Search } from './search-form.tsx';

type Props = { calendar: Calendar; setting: Setting };

const calendarPath = (year: number, countryId?: string): string =>
  `/x/${year}/${countryId === undefined ? '' : `${countryId}/`}`;

export function calendarPage(calendar: Calendar, { words, language }: Setting): Page {
  const { year, countryId, months, text } = calendar;
  const path = calendarPath(year, countryId);
  const heading = words.calendarOf(year) + (countryId ? ` · ${countryName(language, countryId)}` : '');
  return {
    name: 'calendar',
    title: heading,
    description: heading,
    path,
    json: `${path}json/`,
    ...((months.length === 0 || text !== '') && { hidden: true }),
    main: (setting) => (
      <>
        <h1>{heading}</h1>
        <Years calendar={calendar} setting={setting} />
        <Search
          action={setting.prefix + path}
          label={setting.words.nameOrPlace}
          text={text}
          setting={setting}
        />
        <Countries calendar={calendar} setting={setting} />
        <Months calendar={calendar} setting={setting} />
        <Entries calendar={calendar} setting={setting} />
        <Parts calendar={calendar} setting={setting} />
      </>
    ),
  };
}

type LinkProps = {
  href: string;
  current?: boolean;
  rel?: string;
  children: ComponentChildren;
};

const Link = ({ href, current, rel, children }: LinkProps) => (
  <li>
    <a href={href} rel={rel} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  </li>
);

function Years({ calendar: { year, countryId, before, after }, setting: { words, prefix } }: Props) {
  const href = (one: number) => prefix + calendarPath(one, countryId);
  return (
    <nav class="choices" aria-label={words.years}>
      <ul>
        {before !== null && (
          <Link href={href(before)} rel="prev">
            ← {before}
          </Link>
        )}
        <Link href={href(year)} current>
          {year}
        </Link>
        {after !== null && (
          <Link href={href(after)} rel="next">
            {after} →
          </Link>
        )}
      </ul>
    </nav>
  );
}

function Countries({ calendar: { year, countryId, countries }, setting }: Props) {
  const { words, prefix, language } = setting;
  const known = [...new Set([...countries, ...(countryId ? [countryId] : [])])];
  if (known.length < 2 && !countryId) return null;
  const named = known.map((id) => ({ id, name: countryName(language, id) }));
  named.sort((one, other) => one.name.localeCompare(other.name, language));
  return (
    <details class="countries" open={countryId !== undefined}>
      <summary>{words.country}</summary>
      <nav class="choices" aria-label={words.country}>
        <ul>
          <Link href={prefix + calendarPath(year)} current={countryId === undefined}>
            {words.allCountries}
          </Link>
          {named.map(({ id, name }) => (
            <Link key={id} href={prefix + calendarPath(year, id)} current={id === countryId}>
              {name}
            </Link>
          ))}
        </ul>
      </nav>
    </details>
  );
}

/** The page with another month or part. */
function hrefOf({ calendar, setting }: Props, query: Record<string, number>): string {
  const { year, countryId, text } = calendar;
  const search = new URLSearchParams({
    ...(text && { q: text }),
    ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  }).toString();
  return `${setting.prefix}${calendarPath(year, countryId)}${search && `?${search}`}`;
}

function Months(props: Props) {
  const { calendar, setting } = props;
  const { months, month } = calendar;
  if (months.length < 2 && month === null) return null;
  return (
    <nav class="choices" aria-label={setting.words.months}>
      <ul>
        {months.map((one) => (
          <Link
            key={one.month}
            href={month === null ? `#month-${one.month}` : hrefOf(props, { month: one.month })}
            current={one.month === month}
          >
            {shownMonth(setting.language, one.month)} <small>{one.count}</small>
          </Link>
        ))}
      </ul>
    </nav>
  );
}

function Entries({ calendar, setting }: Props) {
  const { competitions, months, today, lively } = calendar;
  const stateOf = stateAmong(today, lively);
  const byMonth = months
    .map(({ month }) => ({
      month,
      listed: competitions.filter(({ date }) => Number(date.slice(5, 7)) === month),
    }))
    .filter(({ listed }) => listed.length > 0);
  if (byMonth.length === 0) return <p class="empty">{setting.words.noCompetitions}</p>;
  return (
    <>
      {byMonth.map(({ month, listed }) => (
        <section key={month} data-month={month}>
          <h2 id={`month-${month}`}>{shownMonth(setting.language, month)}</h2>
          <CompetitionList competitions={listed} {...{ stateOf, setting }} />
        </section>
      ))}
    </>
  );
}

function Parts(props: Props) {
  const { month, page, pages } = props.calendar;
  if (pages < 2) return null;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  return (
    <nav class="choices" aria-label={props.setting.words.pages}>
      <ul>
        {numbers.map((number) => (
          <Link
            key={number}
            href={hrefOf(props, { ...(month !== null && { month }), page: number })}
            current={number === page}
          >
            {number}
          </Link>
        ))}
      </ul>
    </nav>
  );
}
