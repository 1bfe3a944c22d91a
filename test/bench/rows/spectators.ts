// Public reads through nginx as it is deployed, from the copy that it keeps, while units are saved.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { NGINX } from '../../helpers/nginx-program.ts';
import type { Bench } from '../bench.ts';
import { requestsPerSecond } from '../load.ts';
import { NGINX_MISSING, startDeployedNginx } from '../nginx.ts';
import { request } from '../request.ts';
import { interleaved, median, type Row } from '../row.ts';
import { type BenchServer, startServer } from '../server.ts';
import { createUnits, PER_SECOND, saveUnit, UNITS } from './save-to-event.ts';

const CONNECTIONS = 50;
const UNIT = '/x/2026/GBR/bench/event/T0/1/1/json/';

export const spectators: Row = {
  row: 21,
  name: `one unit through nginx with EDGE_CACHE_SECONDS=1, ${PER_SECOND} saves/s, ${CONNECTIONS} connections | nginx static`,
  unit: 'requests/s',
  target: { atLeast: 0.9 },
  async measure(bench) {
    if (!NGINX) return { unavailable: NGINX_MISSING };
    const settings = { EDGE_CACHE_SECONDS: '1', TRUST_PROXY: '1' };
    const server = await startServer(bench, { settings });
    const path = await createUnits(server.api);
    const agent = new Agent();
    for (let unit = 0; unit < UNITS; unit += 1) await saveUnit(server.api, path, unit, '10.00');
    const { body } = await request({ url: server.baseUrl + UNIT, agent });
    const app = new URL(server.baseUrl).port;
    const nginx = await startDeployedNginx(bench, { app, files: { 'unit.json': body } });
    const stopSaving = startSaving(bench, server, path);
    const perSecond: number[] = [];
    const load = (url: string) => requestsPerSecond(bench, { url, connections: CONNECTIONS });
    const { values, floors } = await interleaved(
      bench.effort.rounds,
      async () => {
        // Somebody is always reading: the first after a pause of seconds finds no copy.
        await request({ url: nginx + UNIT, agent });
        const before = await unitReads(server, agent);
        const reads = await load(nginx + UNIT);
        // One when it begins, whenever that is within a second, and one in each that begins in its course.
        perSecond.push(((await unitReads(server, agent)) - before - 1) / bench.effort.seconds);
        return reads;
      },
      () => load(`${nginx}/live/bench/unit.json`),
    );
    const saved = await stopSaving();
    const asked = Math.max(...perSecond);
    const broken = asked > 1 ? [`${asked.toFixed(1)} requests a second reached the service`] : [];
    const notes = [`at most ${asked.toFixed(1)} requests/s reached the service; ${saved} saves`];
    return { value: median(values), floor: median(floors), notes, broken };
  },
};

/** How many requests for units the server has answered. */
async function unitReads({ baseUrl }: BenchServer, agent: Agent): Promise<number> {
  const { body } = await request({ url: `${baseUrl}/metrics`, agent });
  const counts = body.toString().matchAll(/^http_request_duration_seconds_count\{route="\/x\/.* (\d+)$/gm);
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

/** Saves one unit after the other, the one that is read among them. @returns what stops it, and says how many were saved */
function startSaving(bench: Bench, { api }: BenchServer, path: string): () => Promise<number> {
  const state = { over: false, saved: 0 };
  const saving = (async () => {
    for (; !state.over; state.saved += 1) {
      await Promise.all([
        saveUnit(api, path, state.saved % UNITS, `10.${String(state.saved % 97).padStart(2, '0')}`),
        sleep(1000 / PER_SECOND),
      ]);
    }
  })();
  const stop = async () => {
    state.over = true;
    await saving;
    return state.saved;
  };
  bench.afterwards(stop);
  return stop;
}
