// A unit that is followed: read again at intervals and whenever something may have been missed, and taken from push.
import type { Unit } from '../unit/unit.ts';
import type { Freshness } from './freshness.ts';
import { readLatest } from './latest-json.ts';

type Follower = {
  freshness: Freshness;
  /** Something arrived or was confirmed. */
  fresh: () => void;
  take: (unit: Unit) => void;
  /** Told when there is no such unit any more. */
  gone: () => void;
};

export function followUnit(
  { url, channel }: { url: string; channel: string },
  { freshness, fresh, take, gone }: Follower,
): void {
  const refresh = () => readLatest<Unit>(url, { take, gone });
  const asked = () => {
    refresh().then(fresh, () => {});
  };
  freshness.keep(refresh);
  freshness.push?.hear(channel, {
    subscribed: asked,
    event(name, data) {
      if (name !== 'unit') return;
      fresh();
      const unit = data as Unit;
      // A reduced event is no unit to draw: it lacks what was too large to push.
      if (unit['too_large'] === true) asked();
      else take(unit);
    },
  });
}
