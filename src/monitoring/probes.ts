// Probes of what the service depends on, for /readyz.
import { calendarFolder, currentYears } from '../calendar/build.ts';
import { lastBuilt } from '../calendar/write.ts';
import { numberingStatus } from '../changes/store.ts';
import { pendingMigrations } from '../db/migrate.ts';
import { sqlstateOf } from '../db/sqlstate.ts';
import type { Deps } from '../deps.ts';
import { outboxStatus } from '../push/outbox-store.ts';
import { createOutageLog } from '../outage-log.ts';
import type { Check, Probes } from './health.ts';
import { useSomeRoom, writeSomething } from './store.ts';

// Events are published within milliseconds; after this long the push service is away.
const OUTBOX_DEGRADED_SECONDS = 10;
// Changes have their number within a quarter of a second; after this long nobody gives numbers.
const CHANGES_DEGRADED_SECONDS = 30;
// Built every night; a few hours late is still last night's.
const CALENDAR_DEGRADED_SECONDS = 30 * 3600;

export function createProbes(deps: Deps): Probes {
  const { reads: db, log, now } = deps;
  const logged = (what: string, probe: () => Promise<Check>) => {
    const says = {
      begins: `${what} check failed`,
      lasts: `${what} check still fails`,
      ends: `${what} check succeeds again`,
    };
    const outage = createOutageLog({ log, now, level: 'error', says, counted: 'checks' });
    return async () => {
      try {
        const check = await probe();
        if (check.status === 'down') outage.failed(check);
        else outage.succeeded();
        return check;
      } catch (error) {
        outage.failed({ err: error });
        throw error;
      }
    };
  };
  return {
    database: logged('database', async () => {
      const fault = await writeSomething(db, deps.now())
        .then(() => useSomeRoom(db))
        .then(() => undefined, writeFault);
      return fault ?? { status: 'ok' };
    }),
    migrations: logged('migrations', async () => {
      const pending = await pendingMigrations(db);
      return { status: pending === 0 ? 'ok' : 'down', pending };
    }),
    outbox: logged('outbox', async () => {
      const { rows, oldestSeconds, dead } = await outboxStatus(db);
      const late = oldestSeconds > OUTBOX_DEGRADED_SECONDS || dead > 0;
      return {
        status: late ? 'degraded' : 'ok',
        rows,
        oldest_seconds: Math.round(oldestSeconds * 10) / 10,
        dead,
      };
    }),
    changes: logged('changes', async () => {
      const { waiting, oldestSeconds } = await numberingStatus(db);
      const status = oldestSeconds > CHANGES_DEGRADED_SECONDS ? 'degraded' : 'ok';
      return { status, waiting, oldest_seconds: Math.round(oldestSeconds * 10) / 10 };
    }),
    calendar: logged('calendar', async () => {
      const [year] = currentYears(deps);
      const built = await lastBuilt(calendarFolder(deps.config), year);
      const ageSeconds = built && Math.round((deps.now().getTime() - built.getTime()) / 1000);
      const fresh = ageSeconds !== null && ageSeconds < CALENDAR_DEGRADED_SECONDS;
      return { status: fresh ? 'ok' : 'degraded', age_seconds: ageSeconds };
    }),
  };
}

// What strangers may know, and operators need to: the database is there, and no save will succeed.
const WRITE_FAULTS: Record<string, string> = {
  '25006': 'read-only',
  '53100': 'disk full',
  '58030': 'disk fault',
  '53200': 'out of memory',
  '57014': 'too slow',
  '55P03': 'too slow',
};

function writeFault(error: unknown): Check {
  const reason = WRITE_FAULTS[sqlstateOf(error) ?? ''];
  if (reason === undefined) throw error;
  return { status: 'down', reason };
}
