// Faults, one after the other, on replicas that are saving: each ends with everything that was answered, in order, everywhere.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type FaultyWorld, faultyWorld, leaderOf, survive } from '../helpers/faulty-world.ts';
import { report } from '../helpers/figures.ts';
import { byLength } from '../helpers/length.ts';
import { runSql } from '../helpers/sql.ts';

const ROUNDS = byLength(1, 8);
const REPLICAS = byLength(2, 3);
/** Before each fault, and after it. */
const LOAD = { perSecond: byLength(40, 100), saves: byLength(20, 400) };
const FROZEN_MS = 2000;

async function killReplica(world: FaultyWorld, which: 'leader' | 'follower'): Promise<void> {
  const { replicas, startReplica } = world;
  const leader = await leaderOf(world);
  const victim = which === 'leader' ? leader : replicas.find((replica) => replica !== leader)!;
  await victim.kill();
  replicas.splice(replicas.indexOf(victim), 1);
  replicas.push(await startReplica());
}

/** Each is told to stop, and asked until another one has its place. */
async function replaceEach({ replicas, startReplica }: FaultyWorld): Promise<void> {
  for (const [place, replica] of replicas.entries()) {
    await replica.stop();
    replicas[place] = await startReplica();
  }
}

type Fault = [name: string, strike: (world: FaultyWorld) => Promise<void>, shown?: RegExp];

// What may come in the place of an answer. A replica that was told to stop answers whatever it has heard.
const NOT_NOW = /^(?:503)?$/;
const REFUSED = /^(?:ECONNREFUSED)?$/;
const CUT = /^(?:ECONNREFUSED|ECONNRESET| )*$/;

const FAULTS: Fault[] = [
  // First, as what is started in the place of others may have no process to be killed.
  ['the leader is killed', (world) => killReplica(world, 'leader'), CUT],
  ['one replica after the other is replaced, as in an upgrade', replaceEach, REFUSED],
  [
    'Postgres ends every connection',
    async ({ databaseUrl }) =>
      void (await runSql(
        databaseUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'athletics-data-service%'`,
      )),
  ],
  ['the network resets every connection', async ({ network }) => network.cut()],
  [
    'the network carries nothing for two seconds',
    async ({ network }) => {
      network.freeze();
      await sleep(FROZEN_MS);
      network.thaw();
    },
  ],
  ['Postgres is killed and comes back', ({ killPostgres }) => killPostgres()],
];

/** Milder ones, for which a short run has no time. */
const MILDER: Fault[] = [
  ['a follower is killed', (world) => killReplica(world, 'follower'), CUT],
  [
    'the network is slow',
    async ({ network }) => {
      network.delay(30);
      await sleep(1000);
      network.delay(0);
    },
  ],
];

it('no fault loses a save that was answered, nor an event of it, puts any out of order, or shows as another error than 503', async () => {
  const world = await faultyWorld(REPLICAS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, strike, shown = NOT_NOW] of byLength(FAULTS, [...FAULTS, ...MILDER])) {
      const figures = await survive(world, strike, LOAD).catch((error: unknown) => {
        throw new Error(`when ${name}: ${String(error)}`, { cause: error });
      });
      expect(figures['because of']).toMatch(shown);
      expect(figures.saves).toBeGreaterThan(LOAD.saves);
      report({ fault: name, ...figures });
    }
  }
}, 1_200_000);
