// The page at /: live now, today, next and over; search by name; where developers find everything.
import { CompetitionList } from './competition-list.tsx';
import type { Entrance } from './entrance.ts';
import type { Page, Setting } from './frame/page.ts';
import { type ListedCompetition, stateAmong } from './listed-competition.ts';
import { Search } from './search-form.tsx';

/** What was searched for, with what was found. */
export type Found = { text: string; competitions: ListedCompetition[] };

type Props = { entrance: Entrance; setting: Setting };

export function entrancePage(entrance: Entrance, found: Found | null, { words }: Setting): Page {
  return {
    name: 'entrance',
    title: `${words.liveNow}, ${words.today.toLowerCase()}, ${words.latestResults.toLowerCase()} · Athletics`,
    description: words.developersText,
    path: '/',
    ...(found && { hidden: true }),
    // What is live may be anywhere: no channel has it all, so it is asked for at intervals.
    ...(!found && { live: { push: false, finish: entrance.today, regions: '' } }),
    main: (setting) => (
      <>
        <h1>Athletics</h1>
        <Search
          action={`${setting.prefix}/`}
          label={setting.words.competitionName}
          text={found?.text ?? ''}
          setting={setting}
        />
        {found ? <Hits found={found} entrance={entrance} setting={setting} /> : null}
        {!found && <Sections entrance={entrance} setting={setting} />}
        <Developers setting={setting} year={entrance.today.slice(0, 4)} />
      </>
    ),
  };
}

function Hits({ found, entrance: { today, lively }, setting }: Props & { found: Found }) {
  const { words } = setting;
  const { text, competitions } = found;
  return (
    <section>
      <h2>{competitions.length > 0 ? words.foundCalled(text) : words.foundNothing(text)}</h2>
      {competitions.length > 0 && (
        <CompetitionList {...{ competitions, setting }} stateOf={stateAmong(today, lively)} />
      )}
    </section>
  );
}

function Sections({ entrance, setting }: Props) {
  const { today, lively, live, now, next, ended } = entrance;
  const { words, prefix } = setting;
  const stateOf = stateAmong(today, lively);
  const year = today.slice(0, 4);
  return (
    <div data-region="entrance">
      {live.length > 0 && (
        <section class="now" data-section="live">
          <h2>{words.liveNow}</h2>
          <CompetitionList competitions={live} {...{ stateOf, setting }} />
        </section>
      )}
      <Section name="today" title={words.today} competitions={now} {...{ stateOf, setting }} />
      <Section name="next" title={words.nextTwoWeeks} competitions={next} {...{ stateOf, setting }} />
      {live.length + now.length + next.length === 0 && <p class="empty">{words.nothingSoon}</p>}
      <Section name="results" title={words.latestResults} competitions={ended} {...{ stateOf, setting }} />
      <p>
        <a class="more" href={`${prefix}/x/${year}/`}>
          {words.calendarOf(Number(year))}
        </a>
      </p>
    </div>
  );
}

type SectionProps = Parameters<typeof CompetitionList>[0] & { name: string; title: string };

const Section = ({ name, title, ...list }: SectionProps) =>
  list.competitions.length === 0 ? null : (
    <section data-section={name}>
      <h2>{title}</h2>
      <CompetitionList {...list} />
    </section>
  );

const Developers = ({ setting: { words }, year }: { setting: Setting; year: string }) => (
  <section class="developers">
    <h2>{words.forDevelopers}</h2>
    <p>{words.developersText}</p>
    <ul>
      <li>
        <a href="/docs">{words.apiExplorer}</a> · <a href="/redoc">{words.apiReference}</a> ·{' '}
        <a href="/openapi.json">OpenAPI</a>
      </li>
      <li>
        {words.jsonOfYear}: <code>/x/&lt;year&gt;/json/</code>,{' '}
        <code>/x/&lt;year&gt;/&lt;country&gt;/json/</code> (<a href={`/x/${year}/json/`}>{year}</a>)
      </li>
      <li>
        {words.jsonOfCompetition}: <code>/x/&lt;year&gt;/&lt;country&gt;/&lt;slug&gt;/json/</code>,{' '}
        <code>…/event/&lt;event_id&gt;/json/</code>, <code>…/competitor/&lt;competitor_id&gt;/json/</code>
      </li>
      <li>
        {words.jsonOfUnit}: <code>…/event/&lt;event_id&gt;/&lt;round_no&gt;/&lt;heat_no&gt;/json/</code>
      </li>
      <li>
        <a href="/api/v1/push">{words.pushEndpoint}</a>
      </li>
      <li>
        <a href="/api/v1/ping/">Ping</a> · <a href="/readyz">{words.readiness}</a>
      </li>
    </ul>
  </section>
);
