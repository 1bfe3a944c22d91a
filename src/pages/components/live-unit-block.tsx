// A unit on a page, with what the browser needs to draw it again.
import type { Words } from '../locales/en.ts';
import { competitorHref, type LiveUnit } from '../unit/live-unit.ts';
import type { Unit } from '../unit/unit.ts';
import { AnnouncerView } from './announcer-view.tsx';
import { UnitView } from './unit-view.tsx';

type Props = { unit: Unit; words: Words; live: LiveUnit };

export function LiveUnitBlock({ unit, words, live }: Props) {
  const { url: _url, channel: _channel, base, announcer, ...options } = live;
  const view = { words, ...(base !== undefined && { hrefOf: competitorHref(base) }) };
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
