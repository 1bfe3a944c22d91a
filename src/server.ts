// A running server: dependencies, application, then what runs beside it; stopped such that nothing begun is lost.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { type Nightly, startNightly } from './calendar/nightly.ts';
import type { Config } from './config.ts';
import { createDeps, type Deps } from './deps.ts';
import { OperatorError } from './errors.ts';
import { createDrain, type Drain } from './http/drain.ts';
import { createLog } from './log.ts';
import { createPushServer, type PushServer } from './push/server/push-server.ts';
import { startPublishing, type Publishing } from './push/publishing.ts';
import { renderOutdatedUnits } from './competitions/render-outdated.ts';

export type RunningServer = { deps: Deps; app: FastifyInstance; baseUrl: string; close: () => Promise<void> };

// Of the ten seconds that a stop may take in all; saying goodbye to push clients and the database takes the rest.
const REQUESTS_MS = 5000;
const OUTBOX_MS = 2000;

/**
 * Starts everything; what was started before a failure is stopped again.
 *
 * The order of the stop: first this process leaves the list of push servers, so that whoever publishes does not wait for it.
 * Then requests finish. The relay goes last among those that work: where this is the only process nobody else would publish
 * what the last requests have saved, so it goes on until nothing waits, or gives up soon when the push service is away; only
 * then another process may take over, and it finds the rest in the outbox. Push clients are sent away after that, when they
 * have got the last results.
 */
export async function startServer(config: Config, log = createLog(config.LOG_LEVEL)): Promise<RunningServer> {
  const { deps, close: closeDeps } = await createDeps(config, log);
  const closers = [closeDeps];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    let publishing: Publishing | undefined;
    let nightly: Nightly | undefined;
    const accepting = () => publishing !== undefined;
    const pushServer = config.embeddedPush ? embeddedPushServer(deps, accepting) : null;
    await renderOutdatedUnits(deps);
    let baseUrl = config.BASE_URL ?? '';
    const pushCounts = () => publishing?.counts();
    const calendarBuildSeconds = () => nightly?.lastBuild()?.seconds;
    const app = await buildApp(deps, {
      baseUrl: () => baseUrl,
      pushServer,
      pushCounts,
      calendarBuildSeconds,
    });
    closers.push(() => app.close());
    const drain = createDrain(app.server, () => pushServer?.connections() ?? 0);
    // Fastify would open a second server for the other address of this name, out of reach of a graceful stop.
    const host = config.HOST === 'localhost' ? '127.0.0.1' : config.HOST;
    await app.listen({ host, port: config.PORT }).catch(explainListening(config));
    const { address, port } = app.server.address() as AddressInfo;
    baseUrl ||= `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`;
    const own = pushServer && { server: pushServer, bound: { host: address, port } };
    const started = await startPublishing(deps, { own, baseUrl });
    publishing = started;
    closers.push(
      () => started.stop(OUTBOX_MS),
      () => finishRequests(deps, drain),
      started.signOff,
    );
    // A build goes on beside all this, and is waited for before the database goes.
    nightly = startNightly(deps);
    closers.splice(1, 0, nightly.stop);
    warnAboutAddress(config, deps);
    return { deps, app, baseUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
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

function warnAboutAddress(config: Config, { log }: Deps): void {
  const loopback = /^(127\.|localhost$|::1$)/.test(config.HOST);
  if (loopback || config.BASE_URL) return;
  log.warn(
    `BASE_URL is not set: links and push clients are sent to ${config.HOST}, which others may not reach`,
  );
}
