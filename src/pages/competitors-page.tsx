// The page of all competitors: searched by name, team or bib, a hundred at a time.
import type { Address } from '../addresses.ts';
import { publicCompetitor } from '../privacy/public-fields.ts';
import { Trail } from './components/trail.tsx';
import { type Competition, readCompetition } from './competition-store.ts';
import type { CompetitionRecord } from './competition-record.ts';
import { type Found, findCompetitors } from './competitors-store.ts';
import { competitionPath, competitorPath, competitorsPath, type PageOfCompetition } from './definition.ts';
import type { Page, Setting } from './frame/page.ts';
import { Search } from './search-form.tsx';
import { textOf } from './unit/unit.ts';

const PAGE_SIZE = 100;
const LONGEST_SEARCH = 100;

export const competitorsPage: PageOfCompetition = {
  path: '/competitors',
  noun: 'list',
  reading: 'snapshot',
  part(_params, query) {
    const text = searchedFor(query['q']);
    const page = /^[1-9]\d{0,3}$/.test(query['page'] ?? '') ? Number(query['page']) : 1;
    return {
      key: `competitors ${page} ${text}`,
      async read(db, id, address) {
        const competition = await readCompetition(db, id);
        if (!competition) return null;
        const found = await findCompetitors(db, id, { text, page, size: PAGE_SIZE });
        return {
          page: pageOf({ competition, found, text }, address),
          revision: competition.revision,
        };
      },
    };
  },
};

/** A parameter that comes twice is none; no text of a database holds U+0000. */
function searchedFor(q: unknown): string {
  if (typeof q !== 'string') return '';
  return q.replaceAll('\u0000', '').toWellFormed().trim().slice(0, LONGEST_SEARCH);
}

type Shown = { competition: Competition; found: Found; text: string };

function pageOf({ competition, found, text }: Shown, address: Address): Page {
  const { full_name: name } = JSON.parse(competition.recordText) as CompetitionRecord;
  const path = competitorsPath(address);
  return {
    name: 'competitors',
    title: ({ words }) => `${words.competitors} · ${name}`,
    description: ({ words }) => `${words.competitors}, ${name}`,
    path,
    json: `${competitionPath(address)}json/`,
    live: { push: competition.push, finish: competition.finishDate, regions: '' },
    // One address of the whole list is enough for search engines.
    hidden: text !== '' || found.page > 1,
    main: (setting) => {
      const { words, prefix } = setting;
      return (
        <>
          <Trail
            label={words.toCompetition}
            links={[{ href: prefix + competitionPath(address), text: name }]}
          />
          <h1>{words.competitors}</h1>
          <Search action={prefix + path} label={words.searchFor} text={text} setting={setting} />
          <div data-region="competitors">
            <p class="quiet">{found.total === 0 ? words.noneFound : words.found(found.total)}</p>
            {found.total > 0 && <Table {...{ found, address, setting, firstDay: competition.date }} />}
            <Pages {...{ found, text, setting, path: prefix + path }} />
          </div>
        </>
      );
    },
  };
}

type TableProps = { found: Found; address: Address; setting: Setting; firstDay: string };

function Table({ found, address, setting: { words, prefix }, firstDay }: TableProps) {
  const rows = found.rows.map(({ record, teamName }) => ({
    person: publicCompetitor(record, firstDay, false),
    teamName,
  }));
  // Columns in which nobody has anything are left out.
  const has = (field: string) => rows.some(({ person }) => textOf(person[field]) !== '');
  const [hasNation, hasAgeGroup] = [has('nationality'), has('age_group')];
  return (
    <div class="scroll" role="region" aria-label={words.competitors} tabindex={0}>
      <table class="people">
        <thead>
          <tr>
            <th scope="col" data-cell="bib">
              <abbr title={words.bib}>#</abbr>
            </th>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.team}</th>
            {hasNation && <th scope="col">{words.nationality}</th>}
            {hasAgeGroup && <th scope="col">{words.ageGroup}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ person, teamName }) => {
            const bib = textOf(person['competitor_id']);
            return (
              <tr key={bib} data-bib={bib}>
                <td data-cell="bib">{bib}</td>
                <th scope="row" data-cell="name">
                  <a href={prefix + competitorPath(address, bib)}>{nameOfPerson(person) || bib}</a>
                  {localName(person) !== '' && <span class="local-name">{localName(person)}</span>}
                </th>
                <td data-cell="team">
                  {textOf(person['team_name']) || teamName || textOf(person['team_id'])}
                </td>
                {hasNation && <td>{textOf(person['nationality'])}</td>}
                {hasAgeGroup && <td>{textOf(person['age_group'])}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type Person = Record<string, unknown>;

export const nameOfPerson = (person: Person): string =>
  [person['first_name'], person['last_name']].map(textOf).filter(Boolean).join(' ');

/** The name in the athlete's own script. */
export const localName = (person: Person): string =>
  [person['first_name_local'], person['last_name_local']].map(textOf).filter(Boolean).join(' ');

type PagesProps = { found: Found; text: string; setting: Setting; path: string };

function Pages({ found: { page, total }, text, setting: { words }, path }: PagesProps) {
  const pages = Math.ceil(total / PAGE_SIZE);
  if (pages < 2) return null;
  const hrefOf = (number: number) => {
    const query = new URLSearchParams({ ...(text && { q: text }), page: String(number) });
    return `${path}?${query.toString()}`;
  };
  return (
    <nav class="pages" aria-label={words.pageOf(page, pages)}>
      {page > 1 && (
        <a rel="prev" href={hrefOf(page - 1)}>
          {words.previous}
        </a>
      )}
      <span>{words.pageOf(page, pages)}</span>
      {page < pages && (
        <a rel="next" href={hrefOf(page + 1)}>
          {words.next}
        </a>
      )}
    </nav>
  );
}
