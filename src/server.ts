// A running server: its dependencies, the application, what runs beside it, and the order in which all of it stops.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildApp, streamsOf } from './app.ts';
import { startPurge } from './audit/purge.ts';
import { type Nightly, startNightly } from './calendar/nightly.ts';
import { type Numberer, startNumberer } from './changes/numberer.ts';
import type { ChangeStreams } from './changes/streams.ts';
import type { Config } from './config.ts';
import { createDeps, type Deps } from './deps.ts';
import { powerOf } from './db/roles.ts';
import { OperatorError } from './errors.ts';
import { createDrain, type Drain } from './http/drain.ts';
import { createLog } from './log.ts';
import { createPushServer, type PushServer } from './push/server/push-server.ts';
import { startPublishing, type Publishing } from './push/publishing.ts';
import { renderOutdatedUnits } from './competitions/render-outdated.ts';
import { type Sender, startSender } from './webhooks/sender.ts';

export type RunningServer = { deps: Deps; app: FastifyInstance; baseUrl: string; close: () => Promise<void> };

/** What runs so far. */
type Started = {
  deps: Deps;
  closeDeps: () => Promise<void>;
  app?: FastifyInstance;
  changeStreams?: ChangeStreams;
  numberer?: Numberer;
  webhooks?: Sender;
  drain?: Drain;
  publishing?: Publishing;
  nightly?: Nightly;
  stopPurge?: () => Promise<void>;
};

// Of the ten seconds that a stop may take in all; saying goodbye to push clients and the database takes the rest.
const REQUESTS_MS = 5000;
const OUTBOX_MS = 2000;

/** Starts everything; what was started before a failure is stopped again. */
export async function startServer(config: Config, log = createLog(config.LOG_LEVEL)): Promise<RunningServer> {
  const { deps, close: closeDeps } = await createDeps(config, log);
  const started: Started = { deps, closeDeps };
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= stop(started));
  try {
    const accepting = () => started.publishing?.isServed() === true;
    const pushServer = config.embeddedPush ? embeddedPushServer(deps, accepting) : null;
    await tellRole(deps);
    await renderOutdatedUnits(deps);
    const changeStreams = streamsOf(deps);
    started.changeStreams = changeStreams;
    const numberer = await startNumberer(deps, () => {
      changeStreams.wake();
      started.webhooks?.wake();
    });
    started.numberer = numberer;
    let baseUrl = config.BASE_URL ?? '';
    const app = await buildApp(deps, {
      baseUrl: () => baseUrl,
      pushServer,
      changeStreams,
      pushCounts: () => started.publishing?.counts(),
      leads: () => started.publishing?.leads(),
      webhookCounts: () => started.webhooks?.counts(),
      calendarBuildSeconds: () => started.nightly?.lastBuild()?.seconds,
    });
    started.app = app;
    const drain = createDrain(app.server, () => pushServer?.connections() ?? 0);
    // Fastify would open a second server for the other address of this name, out of reach of a graceful stop.
    const host = config.HOST === 'localhost' ? '127.0.0.1' : config.HOST;
    await app.listen({ host, port: config.PORT }).catch(explainListening(config));
    started.drain = drain;
    const { address, port } = app.server.address() as AddressInfo;
    baseUrl ||= `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`;
    const own = pushServer && { server: pushServer, bound: { host: address, port } };
    started.publishing = await startPublishing(deps, { own, baseUrl });
    started.webhooks = startSender(deps, { leads: () => numberer.leads(), origin: () => baseUrl });
    started.nightly = startNightly(deps);
    started.stopPurge = startPurge(deps);
    warnAboutAddress(config, deps);
    return { deps, app, baseUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Stops what was started, such that nothing is lost. The order is what makes that true. */
async function stop(started: Started): Promise<void> {
  const { deps, closeDeps, app, drain, publishing, nightly, stopPurge, changeStreams, numberer, webhooks } =
    started;
  // Off the list of push servers first: whoever publishes does not wait for this process any more.
  await publishing?.signOff();
  // They are requests without an end; their readers go on where they were, at another replica or after the restart.
  changeStreams?.close();
  // What is under way is taken or goes out again, by whoever leads next.
  await Promise.all([drain && finishRequests(deps, drain), webhooks?.stop()]);
  await numberer?.stop();
  // After the requests: where this is the only process, nobody else would publish what the last of them have saved. So the
  // relay goes on until nothing waits, or gives up soon when the push service is away. Only then another process may take
  // over; it finds the rest in the outbox.
  await publishing?.stop(OUTBOX_MS);
  // Sends the push clients away, who have got the last results by now.
  await app?.close();
  // A build has gone on beside all this; it needs the database.
  await nightly?.stop();
  await stopPurge?.();
  await closeDeps();
}

async function finishRequests({ log }: Deps, drain: Drain): Promise<void> {
  const requests = await drain.finish(REQUESTS_MS);
  if (requests > 0)
    log.warn({ requests }, `cut off requests that took longer than ${REQUESTS_MS} ms to finish`);
}

function explainListening({ HOST, PORT }: Config) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new OperatorError(`PORT ${PORT} is in use on ${HOST}: stop what listens there or set PORT`);
    if (error.code === 'EACCES')
      throw new OperatorError(`PORT ${PORT} needs more rights: set PORT to 1024 or above`);
    if (error.code === 'EADDRNOTAVAIL') throw new OperatorError(`HOST ${HOST} is no address of this machine`);
    throw error;
  };
}

function embeddedPushServer({ config, pushApp, log }: Deps, accepting: () => boolean): PushServer {
  return createPushServer({
    app: pushApp,
    maxEventBytes: config.pushMaxEventBytes,
    maxConnections: config.PUSH_MAX_CONNECTIONS,
    maxConnectionsPerAddress: config.PUSH_MAX_CONNECTIONS_PER_ADDRESS,
    log,
    accepting,
  });
}

async function tellRole({ db, log }: Deps): Promise<void> {
  const { role, superuser, owner } = await powerOf(db);
  const remedy = 'DATABASE_MIGRATION_URL may name the owner, and DATABASE_URL then a role that owns nothing';
  if (superuser) log.warn(`The service runs as ${role}, a superuser of Postgres: ${remedy}`);
  else if (owner) log.info(`The service runs as ${role}, the owner of its tables: ${remedy}`);
}

function warnAboutAddress(config: Config, { log }: Deps): void {
  const loopback = /^(127\.|localhost$|::1$)/.test(config.HOST);
  if (loopback || config.BASE_URL) return;
  log.warn(`BASE_URL is not set: links in push messages lead to ${config.HOST}, which others may not reach`);
}
