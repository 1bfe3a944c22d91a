// Readers and writers who never pause, and what they were answered.
import { onTestFinished, vi } from 'vitest';
import { type ApiClient, get, type Reply } from './http-client.ts';
import { byLength } from './length.ts';

const LANES = 4;
const ENOUGH = byLength(15, 40);

export function startTraffic(url: string, api: ApiClient) {
  const reads: Reply[] = [];
  const writes: (Reply & { name: string })[] = [];
  const state = { over: false };
  onTestFinished(() => {
    state.over = true;
  });
  const read = async () => {
    while (!state.over) reads.push(await get(url));
  };
  const write = async (lane: number) => {
    for (let n = 0; !state.over; n += 1) {
      const name = `Meeting ${lane}-${n}`;
      const body = { full_name: name, country_id: 'GBR', date: '2026-08-01' };
      writes.push({ ...(await api('POST', '/competitions/', body)), name });
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => [read(), write(lane)]).flat());
  lanes.catch(() => {});
  return {
    reads,
    writes,
    /** Waits for a good many of each from now on. */
    async goesOn() {
      const [readsBefore, writesBefore] = [reads.length, writes.length];
      const more = () => Math.min(reads.length - readsBefore, writes.length - writesBefore);
      await vi.waitFor(
        () => {
          if (more() < ENOUGH) throw new Error('too few requests were answered');
        },
        { timeout: 20_000 },
      );
    },
    async finish() {
      state.over = true;
      await lanes;
    },
  };
}
