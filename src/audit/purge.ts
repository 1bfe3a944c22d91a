// Purge of the audit: every day, and at start, what is older than it is kept.
import type { Deps } from '../deps.ts';
import { purgeAudit } from './store.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Each replica does so for itself: nothing is left for the second. @returns what ends it */
export function startPurge({ db, log }: Pick<Deps, 'db' | 'log'>): () => Promise<void> {
  const purge = async () => {
    try {
      const entries = await purgeAudit(db);
      if (entries > 0) log.info({ entries }, 'forgot what is too old for the audit');
    } catch (error) {
      log.warn({ err: error }, 'the audit could not be purged');
    }
  };
  let running = purge();
  const timer = setInterval(() => {
    running = purge();
  }, DAY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
