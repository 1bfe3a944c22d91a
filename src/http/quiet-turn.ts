// The moment to stop listening. Connections that the system has taken for us and that we have not looked at yet are reset
// then, and a proxy must not repeat what it has sent on one of them unless it was a read.
import { setImmediate as turn } from 'node:timers/promises';

const SHORT_MS = 0.1;
const PATIENCE_MS = 1000;

/** Resolves right after a turn of the event loop that took in all new connections and had next to nothing else to do. */
export async function quietTurn(): Promise<void> {
  const startedMs = performance.now();
  await turn();
  for (let beforeMs = performance.now(); beforeMs - startedMs < PATIENCE_MS; beforeMs = performance.now()) {
    await turn();
    if (performance.now() - beforeMs < SHORT_MS) return;
  }
}
