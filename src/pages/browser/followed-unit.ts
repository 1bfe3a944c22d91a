// A unit that is followed: read again at intervals and whenever something may have been missed, and taken from push.
import type { Unit } from '../unit/unit.ts';
import type { Freshness } from './freshness.ts';

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
  async function refresh() {
    const answer = await fetch(url, { cache: 'no-cache' });
    if (answer.ok) take((await answer.json()) as Unit);
    else if (answer.status === 404) gone();
    else throw new Error(`status ${answer.status}`);
  }

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
