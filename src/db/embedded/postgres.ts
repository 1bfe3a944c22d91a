// Postgres without an installation, for when DATABASE_URL is unset. All processes on one data folder share one server:
// whoever comes first starts it, whoever leaves last stops it, and one that is killed costs the others nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { explainFolder } from '../../errors.ts';
import { createOutageLog, type OutageLogOptions } from '../../outage-log.ts';
import { openCluster, type Cluster } from './cluster.ts';
import { leave, urlOf, type Joined } from './presence.ts';
import { attachOrStart, type Attached, stopServer } from './server.ts';

export type EmbeddedPostgres = {
  /** Where it is now: after a crash, when its port was taken meanwhile, it comes back on another. */
  readonly serviceUrl: string;
  /** The same for the superuser, to whom everything belongs. */
  readonly ownerUrl: string;
  stop: () => Promise<void>;
};

const RETRY_MS = 5000;

type Log = { info(message: string): void } & OutageLogOptions['log'];

export type EmbeddedOptions = {
  /** absolute; the cluster lives in its folder postgres */
  dataDir: string;
  log: Log;
  /** for tests: commits do not wait for the disk, so a power cut loses the database, and nothing is vacuumed */
  disposable?: boolean;
};

/** @throws OperatorError with what Postgres said and the remedy */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const cluster = await openCluster(options.dataDir, options.disposable ?? false);
    return stayPresent(cluster, await attachOrStart(cluster), options.log);
  } catch (error) {
    throw explainFolder(error, options.dataDir);
  }
}

function stayPresent(cluster: Cluster, first: Attached, log: Log): EmbeddedPostgres {
  let joined = first;
  const tellOf = (what: string, { address, withoutSocket }: Attached) => {
    const way = withoutSocket && `, over TCP without a Unix socket: ${withoutSocket}`;
    log.info(`${what}, port ${address.port}${way ?? ''}`);
  };
  let leaving: Promise<void> | undefined;
  let rejoining: Promise<void> | undefined;
  const outage = createOutageLog({
    log,
    // The database, whose time it is otherwise, is what is away.
    now: () => new Date(),
    level: 'warn',
    says: {
      begins: 'The embedded Postgres is away',
      lasts: 'The embedded Postgres is still away',
      ends: 'The embedded Postgres was away',
    },
    counted: 'tries',
  });
  const watch = () =>
    joined.presence.once('end', () => {
      if (leaving) return;
      log.warn('The connection to the embedded Postgres was lost; attaching again');
      rejoining = rejoin();
    });
  const rejoin = async (): Promise<void> => {
    try {
      joined = await attachOrStart(cluster, joined.address.port);
      outage.succeeded();
      tellOf('Embedded Postgres is back', joined);
      watch();
    } catch (error) {
      outage.failed({ reason: String(explainFolder(error, cluster.folder)) });
      await sleep(RETRY_MS);
      if (!leaving) await rejoin();
    }
  };
  const stop = async () => {
    await rejoining;
    await leaveOrStop(cluster, joined, log);
  };
  watch();
  tellOf(`Embedded Postgres in ${cluster.folder}`, first);
  return {
    get serviceUrl() {
      return urlOf(joined, 'service');
    },
    get ownerUrl() {
      return urlOf(joined, 'owner');
    },
    stop: () => (leaving ??= stop()),
  };
}

async function leaveOrStop(cluster: Cluster, { presence }: Joined, log: Log): Promise<void> {
  try {
    if (await leave(presence)) await stopServer(cluster);
  } catch (error) {
    // The server is gone already, or stays for the next start to find.
    log.warn(`The embedded Postgres was not stopped: ${String(error)}`);
  } finally {
    await presence.end().catch(() => {});
  }
}
