// The dependencies that the rest of the program is handed, and the only place where they are made: nothing here is a singleton.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installationId } from './accounts/installation-store.ts';
import type { Config, PushApp } from './config.ts';
import { connect, type Db } from './db/client.ts';
import { startEmbeddedPostgres } from './db/embedded/postgres.ts';
import { explainDatabase } from './db/explain.ts';
import { migrate } from './db/migrate.ts';
import type { Log } from './log.ts';
import { generatedPushApp } from './push/push-app-store.ts';
import { secretFile } from './secret-file.ts';

export type Deps = {
  config: Config;
  db: Db;
  /** Where `db` is connected to, for what needs a connection of its own. */
  databaseUrl: string;
  now: () => Date;
  log: Log;
  pushApp: PushApp;
  /** Signs tokens; then, while secrets are exchanged, what those about were signed with. */
  jwtSecrets: [newest: string, ...older: string[]];
  /** What tokens of this installation name as their issuer and audience. */
  installationId: string;
};

const GOODBYE_MS = 1000;

/** Opens the database (starting or joining the embedded one when none is configured) and brings it to the present schema. */
export async function createDeps(
  config: Config,
  log: Log,
): Promise<{ deps: Deps; close: () => Promise<void> }> {
  const embedded = config.DATABASE_URL
    ? null
    : await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log });
  const databaseUrl = embedded?.url ?? config.DATABASE_URL!;
  try {
    await migrate(databaseUrl);
    const db = connect(databaseUrl, (error) => {
      // The embedded Postgres may stop before the last goodbye has reached it.
      if (!db.$client.ending) log.warn({ err: error }, 'an idle database connection was lost');
    });
    const deps: Deps = {
      config,
      db,
      databaseUrl,
      now: () => new Date(),
      log,
      pushApp: config.pushApp ?? (await generatedPushApp(db)),
      jwtSecrets: config.JWT_SECRET ?? [await secretFile(join(config.DATA_DIR, 'jwt-secret'))],
      installationId: await installationId(db),
    };
    const close = async () => {
      // A query whose request was cut off may never come back.
      await Promise.race([db.$client.end(), sleep(GOODBYE_MS, undefined, { ref: false })]);
      await embedded?.stop();
    };
    return { deps, close };
  } catch (error) {
    await embedded?.stop();
    throw embedded ? error : explainDatabase(error, databaseUrl);
  }
}
