// What others notice of something that goes on: how long reads and saves take at worst, asked for at a steady rate meanwhile.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../helpers/figures.ts';
import type { Bench } from './bench.ts';
import { request } from './request.ts';
import { createCompetition, results } from './rows/unit-save.ts';
import type { BenchServer } from './server.ts';
import { create, nextBig, pageOf } from './upload.ts';

const PER_SECOND = 100;

/** Does one thing, again and again. @returns how long it took */
export type Act = () => Promise<number>;

/** The address of a unit of big, which is stored for this. */
export async function storedUnit(bench: Bench, server: BenchServer): Promise<string> {
  const competition = nextBig(bench);
  await create(server.api, competition);
  return `${server.baseUrl}${pageOf(competition)}/event/T01/1/1/json/`;
}

/** Reads of a page, by one who keeps the connections. */
export function readsOf(bench: Bench, url: string): Act {
  const agent = new Agent({ keepAlive: true });
  bench.afterwards(() => agent.destroy());
  return async () => (await request({ url, agent })).ms;
}

export const unitReads = async (bench: Bench, server: BenchServer): Promise<Act> =>
  readsOf(bench, await storedUnit(bench, server));

/** Saves of a unit, in a competition that nobody else writes to. */
export async function unitSaves({ api }: BenchServer, competition = 'other'): Promise<Act> {
  const unit = `${await createCompetition(api, competition)}/events/T1/units/1/1`;
  let saves = 0;
  return async () => (await api('PATCH', unit, results((saves += 1)))).ms;
}

/** At a steady rate, whether or not answers have come. @returns how long each took */
export async function timesWhile(act: Act, work: () => Promise<unknown>): Promise<number[]> {
  const working = work().then(() => true);
  const acting: Promise<number>[] = [];
  const startMs = performance.now();
  let over = false;
  while (!over) {
    acting.push(act());
    const nextMs = startMs + (acting.length * 1000) / PER_SECOND;
    over = await Promise.race([working, sleep(Math.max(0, nextMs - performance.now()), false)]);
  }
  return Promise.all(acting);
}

/** Of all rounds together: in a round of half a second it would be the slowest. */
export const p99 = (rounds: number[][]): number => percentile(rounds.flat(), 0.99);

/** What is said beside a verdict of how many times idle the worst took, and the same at what it is held against. */
export function timesIdleNote(times: number, aim: number, beside: { times: number; at: string }): string {
  return `${times.toPrecision(2)} times idle, of which ${aim} is the aim; at ${beside.at} ${beside.times.toPrecision(2)} times`;
}
