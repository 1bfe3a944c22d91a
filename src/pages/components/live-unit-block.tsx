// A unit on a page, with what the browser needs to draw it again.
import type { Words } from '../locales/en.ts';
import type { Language } from '../locales/languages.ts';
import { shownMoment } from '../locales/moments.ts';
import { competitorHref, type LiveUnit } from '../unit/live-unit.ts';
import type { Unit } from '../unit/unit.ts';
import { AnnouncerView } from './announcer-view.tsx';
import { UnitView } from './unit-view.tsx';

type Props = { unit: Unit; live: LiveUnit; setting: { words: Words; language: Language } };

export function LiveUnitBlock({ unit, live, setting: { words, language } }: Props) {
  const { url: _url, channel: _channel, base, announcer, ...options } = live;
  const view = {
    words,
    momentOf: (moment: string) => shownMoment(language, moment, 'UTC'),
    ...(base !== undefined && { hrefOf: competitorHref(base) }),
  };
  return (
    <div data-live-unit={JSON.stringify(live)}>
      {announcer ? (
        <AnnouncerView unit={unit} view={view} words={words} {...options} />
      ) : (
        <UnitView unit={unit} view={view} {...options} />
      )}
    </div>
  );
}
