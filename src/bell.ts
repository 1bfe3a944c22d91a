// A bell that wakes whoever waits for work, and pauses that end early.
import { setTimeout as sleep } from 'node:timers/promises';

export type Bell = ReturnType<typeof createBell>;

/** A ring while nobody waits is heard at the next wait. */
export function createBell() {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    wait: async (ms: number) => {
      // Without a signal and the error of its abort: this is waited for with every save.
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
    },
  };
}

/** Ends early, without an error, when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
