// The dependencies that the rest of the program is handed, and the only place where they are made: nothing here is a singleton.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installationId } from './accounts/installation-store.ts';
import type { Config, PushApp } from './config.ts';
import { connect, connectReads, type DatabaseUrl, type Db } from './db/client.ts';
import { startClock } from './db/clock.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded/postgres.ts';
import { explainDatabase } from './db/explain.ts';
import { migrate } from './db/migrate.ts';
import { explainFolder } from './errors.ts';
import type { Log } from './log.ts';
import { outboxBellOf } from './push/outbox-bell.ts';
import { generatedPushApp } from './push/push-app-store.ts';
import { secretFile } from './secret-file.ts';

export type Deps = {
  config: Config;
  /** For what writes. */
  db: Db;
  /** For what only reads, and for signing in: saves that wait for each other hold none of these connections. */
  reads: Db;
  /** Where both are connected to, for what needs a connection of its own. */
  databaseUrl: DatabaseUrl;
  /** The time, by the database's clock: what a replica with a wrong clock signs, keeps and ends is right all the same. */
  now: () => Date;
  log: Log;
  pushApp: PushApp;
  /** Signs tokens; then, while secrets are exchanged, what those about were signed with. */
  jwtSecrets: [newest: string, ...older: string[]];
  /** What tokens of this installation name as their issuer and audience. */
  installationId: string;
};

const GOODBYE_MS = 1000;
const SILENCE_MS = 5000;

/** Opens the database (starting or joining the embedded one when none is configured) and brings it to the present schema. */
export async function createDeps(
  config: Config,
  log: Log,
): Promise<{ deps: Deps; close: () => Promise<void> }> {
  const waiting = setTimeout(() => log.warn('Still waiting for the database'), SILENCE_MS);
  const embedded = config.DATABASE_URL
    ? null
    : await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log }).finally(() => clearTimeout(waiting));
  const databaseUrl = embedded ? () => embedded.serviceUrl : config.DATABASE_URL!;
  try {
    await bringUpToDate(config, embedded, log).finally(() => clearTimeout(waiting));
    // The embedded Postgres may stop before the last goodbye has reached it.
    const onLost = (error: Error) => {
      if (!db.$client.ending) log.warn({ err: error }, 'an idle database connection was lost');
    };
    const db = connect(databaseUrl, onLost, config.DATABASE_POOL_SIZE);
    const reads = connectReads(databaseUrl, onLost, config.DATABASE_POOL_SIZE);
    const clock = await startClock(reads, {
      onDifference: (seconds) =>
        log.warn({ seconds }, "this machine's clock is not the database's, which is used: set it right"),
    });
    const deps: Deps = {
      config,
      db,
      reads,
      databaseUrl,
      now: clock.now,
      log,
      pushApp: config.pushApp ?? (await generatedPushApp(db)),
      jwtSecrets: config.JWT_SECRET ?? [await ownSecret(config)],
      installationId: await installationId(db),
    };
    const close = async () => {
      clock.stop();
      // A command ends right after its commit.
      const told = outboxBellOf(db).rung();
      const goodbyes = told.then(() => Promise.all([db.$client.end(), reads.$client.end()]));
      // A query whose request was cut off may never come back.
      await Promise.race([goodbyes, sleep(GOODBYE_MS, undefined, { ref: false })]);
      await embedded?.stop();
    };
    return { deps, close };
  } catch (error) {
    await embedded?.stop();
    throw embedded ? error : explainDatabase(error, config.DATABASE_URL!);
  }
}

/** By the owner, whose connection ends with it: what runs afterwards is another role, which may change no table. */
async function bringUpToDate(config: Config, embedded: EmbeddedPostgres | null, log: Log): Promise<void> {
  const say = (line: string) => log.warn(line);
  if (embedded) return migrate(embedded.ownerUrl, { serviceUrl: embedded.serviceUrl, say });
  const serviceUrl = config.DATABASE_URL!;
  await migrate(config.DATABASE_MIGRATION_URL ?? serviceUrl, { serviceUrl, say, explain: explainDatabase });
}

async function ownSecret({ DATA_DIR }: Config): Promise<string> {
  return secretFile(join(DATA_DIR, 'jwt-secret')).catch((error: unknown) => {
    throw explainFolder(error, DATA_DIR);
  });
}
