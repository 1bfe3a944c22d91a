// An overview that is followed: read again at intervals, and whenever the competition's channel tells of something.
import type { Overview } from '../../site/documents/overview-shape.ts';
import type { Freshness } from './freshness.ts';
import { readLatest } from './latest-json.ts';

type Follower = {
  freshness: Freshness;
  /** Something arrived or was confirmed. */
  fresh: () => void;
  take: (overview: Overview) => void;
  /** Told when there is no such competition any more. */
  gone: () => void;
};

// A burst of results is one reason to ask, not many.
const GATHER_MS = 300;

export function followOverview(
  { url, channel }: { url: string; channel: string },
  { freshness, fresh, take, gone }: Follower,
): void {
  let gathering: number | undefined;
  const refresh = () => readLatest<Overview>(url, { take, gone });

  const soon = () => {
    gathering ??= window.setTimeout(() => {
      gathering = undefined;
      refresh().then(fresh, () => {});
    }, GATHER_MS);
  };
  freshness.keep(refresh);
  freshness.push?.hear(channel, { subscribed: soon, event: soon });
}
