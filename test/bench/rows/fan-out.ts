// How many events one core of the embedded push server hands to subscribers, against Sockudo on the same machine.
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inMs } from '../../helpers/figures.ts';
import { residentBytes } from '../../helpers/memory.ts';
import type { Program } from '../../helpers/program.ts';
import { publisherLibrary } from '../../helpers/push-server.ts';
import { launchSockudo, SOCKUDO } from '../../helpers/sockudo-program.ts';
import type { Bench } from '../bench.ts';
import { interleaved, median, type Row } from '../row.ts';

const SUBSCRIBERS = [1000, 5000] as const;
/** Like the event of an attempt. */
const FILLING = 'x'.repeat(400);
/** In a burst: as much work for the clients, however many they are. */
const DELIVERIES = 200_000;
const BATCH = 10;
const STEADY_PER_SECOND = 20;
const STEADY_SECONDS = 2;
const APP = { id: 'app', key: 'key', secret: 'secret of the push servers' };
const IDENTITY = { PUSHER_APP_ID: APP.id, PUSHER_KEY: APP.key, PUSHER_SECRET: APP.secret };
// Of a processor, as the kernel counts it for processes.
const TICKS_PER_SECOND = 100;

type Server = { name: string; pid: number; port: number };
type Crowd = { count: number; kBEach: number; joinsPerSecond: number; publish: Publish };
type Burst = { perCoreSecond: number; perSecond: number };
/** @param wait how long between batches; all subscribers have everything when it resolves */
type Publish = (batches: number, each: number, wait?: number) => Promise<{ outOfOrder: number; p99: number }>;

export const fanOut: Row = {
  row: 22,
  name: `embedded push server to ${SUBSCRIBERS[0]} subscribers, for each second of a core | Sockudo`,
  unit: 'events/s',
  target: { atLeast: 1 },
  async measure(bench) {
    if (!SOCKUDO) return { unavailable: 'not measured: SOCKUDO_BIN names no Sockudo' };
    const servers = [await embedded(bench), await sockudo(bench)] as const;
    const notes: string[] = [];
    const broken: string[] = [];
    const verdicts: { value: number; floor: number }[] = [];
    for (const count of SUBSCRIBERS) {
      const crowds: Crowd[] = [];
      for (const server of servers) crowds.push(await gatherAt(bench, server, count));
      const [our, theirs] = crowds as [Crowd, Crowd];
      const { values, floors } = await interleaved(
        bench.effort.rounds,
        () => burst(servers[0], our),
        () => burst(servers[1], theirs),
      );
      verdicts.push({ value: typical(values, 'perCoreSecond'), floor: typical(floors, 'perCoreSecond') });
      for (const [server, crowd, bursts] of [
        [servers[0], our, values],
        [servers[1], theirs, floors],
      ] as const) {
        const { outOfOrder, p99 } = await crowd.publish(
          STEADY_PER_SECOND * STEADY_SECONDS,
          1,
          1000 / STEADY_PER_SECOND,
        );
        if (outOfOrder > 0) broken.push(`${server.name}: ${outOfOrder} events out of order`);
        notes.push(
          `${server.name}, ${count}: ${thousands(typical(bursts, 'perCoreSecond'))} events/s of a core, ` +
            `${thousands(typical(bursts, 'perSecond'))} in all, ${STEADY_PER_SECOND}/s p99 ${inMs(p99)}, ` +
            `${Math.round(crowd.joinsPerSecond)} joins/s, ${crowd.kBEach.toFixed(1)} kB each`,
        );
      }
    }
    return { ...verdicts[0]!, notes, broken };
  },
};

const typical = (bursts: Burst[], key: keyof Burst) => median(bursts.map((one) => one[key]));
const thousands = (value: number) => `${(value / 1000).toFixed(0)} k`;

async function embedded(bench: Bench): Promise<Server> {
  const program = bench.program('test/helpers/push-process.ts', IDENTITY);
  const [, port] = await program.until(/Listening at http:.*:(\d+)/);
  return { name: 'embedded', pid: program.pid, port: Number(port) };
}

async function sockudo(bench: Bench): Promise<Server> {
  const node = await launchSockudo(IDENTITY);
  bench.afterwards(() => node.kill('SIGKILL'));
  return { name: 'Sockudo', pid: node.pid, port: node.port };
}

/** Crowds stay until the end, each at a channel of its own. */
async function gatherAt(bench: Bench, { pid, port }: Server, count: number): Promise<Crowd> {
  const channel = `x-2026-GBR-bench-${count}-overview`;
  const beforeBytes = await residentBytes(pid);
  const program = bench.program('test/bench/crowd-process.ts', {
    PORT: String(port),
    KEY: IDENTITY.PUSHER_KEY,
    CHANNEL: channel,
    COUNT: String(count),
  });
  const { ms } = JSON.parse((await program.until(/joined (.*)\n/))[1]!) as { ms: number };
  const kBEach = ((await residentBytes(pid)) - beforeBytes) / 1000 / count;
  return { count, kBEach, joinsPerSecond: (count * 1000) / ms, publish: publisherTo(port, channel, program) };
}

function publisherTo(port: number, channel: string, crowd: Program): Publish {
  const library = publisherLibrary(APP, port, new Agent({ keepAlive: true }));
  let sent = 0;
  return async (batches, each, wait = 0) => {
    for (let batch = 0; batch < batches; batch += 1) {
      const events = Array.from({ length: each }, () => ({
        channel,
        name: 'e',
        data: JSON.stringify({ n: sent++, at: Date.now(), filling: FILLING }),
      }));
      const answer = await library.triggerBatch(events);
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      await answer.text();
      await sleep(wait);
    }
    crowd.say(`${sent}\n`);
    return JSON.parse((await crowd.until(new RegExp(`has ${sent} (.*)\n`)))[1]!);
  };
}

/** As much as it can in one go. */
async function burst({ pid }: Server, { count, publish }: Crowd): Promise<Burst> {
  const startMs = performance.now();
  const startTicks = processorTicks(pid);
  const batches = DELIVERIES / count / BATCH;
  await publish(batches, BATCH);
  const events = count * batches * BATCH;
  const coreSeconds = (processorTicks(pid) - startTicks) / TICKS_PER_SECOND;
  return {
    perCoreSecond: events / coreSeconds,
    perSecond: (events * 1000) / (performance.now() - startMs),
  };
}

/** User and system time: fields 14 and 15 of proc(5), counted behind the name, which may hold anything. */
function processorTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
