// A list of competitions: days, name, place and state of each.
import { competitionPath } from './definition.ts';
import { countryName } from './country-names.ts';
import type { Setting } from './frame/page.ts';
import type { CompetitionState, ListedCompetition } from './listed-competition.ts';
import type { Words } from './locales/en.ts';
import { shownDates } from './locales/languages.ts';

type Props = {
  competitions: readonly ListedCompetition[];
  stateOf: (competition: ListedCompetition) => CompetitionState;
  setting: Setting;
};

export const CompetitionList = ({ competitions, stateOf, setting }: Props) => (
  <ul class="competitions">
    {competitions.map((competition) => (
      <Entry key={competition.id} {...{ competition, setting }} state={stateOf(competition)} />
    ))}
  </ul>
);

type EntryProps = { competition: ListedCompetition; state: CompetitionState; setting: Setting };

function Entry({ competition, state, setting }: EntryProps) {
  const { fullName, city, countryId, date, finishDate } = competition;
  const { language, prefix, words } = setting;
  return (
    <li data-competition={competition.id}>
      <span class="days">{shownDates(language, date, finishDate)}</span>
      <span class="what">
        <a href={prefix + competitionPath(competition)}>
          <bdi>{fullName}</bdi>
        </a>
        <span class="where">
          {city && <bdi>{city}</bdi>}
          {city && ', '}
          {countryName(language, countryId)}
        </span>
      </span>
      <span class={`chip ${CHIPS[state].style}`} data-competition-state={state}>
        <span aria-hidden="true" class="shape">
          {CHIPS[state].shape}
        </span>
        {CHIPS[state].word(words)}
      </span>
    </li>
  );
}

type Chip = { shape: string; style: string; word: (words: Words) => string };

const CHIPS: Record<CompetitionState, Chip> = {
  live: { shape: '●', style: 'live', word: (words) => words.live },
  today: { shape: '◔', style: 'seeded', word: (words) => words.today },
  coming: { shape: '○', style: 'before', word: (words) => words.stateComing },
  over: { shape: '✓', style: 'official', word: (words) => words.stateOver },
};
