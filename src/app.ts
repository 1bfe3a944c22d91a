// The application, unstarted: the whole route table on one screen.
import { fastify, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { authentication, limitWrites } from './accounts/authenticate.ts';
import { auditRefusedWrites } from './accounts/refused-writes.ts';
import { createHashThread, type HashThreadOptions } from './accounts/hash-thread.ts';
import { authRoutes } from './accounts/routes.ts';
import { API_INFO, API_TAGS, publishedPath } from './api-description.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { changeRoutes } from './changes/routes.ts';
import { type ChangeStreams, createChangeStreams } from './changes/streams.ts';
import { judgeBodyAfter, requireCompetition } from './competitions/access.ts';
import { deletePartRoutes } from './competitions/delete-part-routes.ts';
import { competitionRoutes } from './competitions/routes.ts';
import { authorizeUpdate } from './competitions/update.ts';
import { outageOf } from './db/sqlstate.ts';
import type { Deps } from './deps.ts';
import { entriesRoutes } from './exchange/entries-routes.ts';
import { waRoutes } from './exchange/wa-routes.ts';
import { originsOf } from './http/asked-origin.ts';
import { type BodyPace, jsonBody } from './http/body.ts';
import { connectionOptions, PATIENCE, type Patience, refuseExpectations } from './http/connections.ts';
import { conventions } from './http/conventions.ts';
import { cors } from './http/cors.ts';
import { errorAnswers, unknownPaths, unreadableAddress } from './http/errors.ts';
import { healthRoutes } from './monitoring/health.ts';
import { lazyLog } from './http/lazy-log.ts';
import { lynxRoutes } from './lynx/routes.ts';
import { maintenance } from './http/maintenance.ts';
import { methodNotAllowed } from './http/method-not-allowed.ts';
import { openApi } from './http/openapi.ts';
import { outageLog } from './http/outage-log.ts';
import { clientAddress, trustedProxies } from './http/client-address.ts';
import { pingRoutes } from './monitoring/ping.ts';
import { addressKey, createLimiter } from './http/rate-limit.ts';
import { requestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { validatorCompiler } from './http/validation.ts';
import { metrics } from './monitoring/metrics.ts';
import { clientScriptRoutes } from './push/client-script.ts';
import { pushInfoRoutes } from './push/info.ts';
import type { PushServer } from './push/server/push-server.ts';
import type { DispatchCounts } from './push/dispatch.ts';
import { pushRoutes } from './push/server/routes.ts';
import { assetRoutes, loadAssets, widgetRoutes } from './pages/assets.ts';
import { errorPages } from './pages/error-pages.ts';
import { frontRoutes } from './pages/front-routes.ts';
import { oembedRoutes } from './pages/oembed.ts';
import { pageRoutes } from './pages/routes.ts';
import { settingsOf } from './pages/setting.ts';
import { sitemapRoutes } from './pages/sitemap-routes.ts';
import { attachPushUpgrades } from './push/server/upgrade.ts';
import { createDocuments } from './site/documents-in-memory.ts';
import { createProbes } from './monitoring/probes.ts';
import { API, isReadByAll, LOCALE_PREFIX, OPEN_TO_ALL, PAUSED_IN_MAINTENANCE } from './public-paths.ts';
import { siteRoutes } from './site/routes.ts';
import { startOf } from './threads.ts';
import { createUploadThread, type UploadThreadOptions } from './uploads/upload-thread.ts';
import { createUncertainAttempts } from './units/uncertain-attempts.ts';
import { createUnitCache } from './units/saving/unit-cache.ts';
import { unitRoutes } from './units/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import type { SenderCounts } from './webhooks/sender.ts';

export type AppOptions = {
  /** The public address: known only after listening when the port is chosen then. */
  baseUrl: () => string;
  /** The embedded push server; null when another one is configured. */
  pushServer: PushServer | null;
  /** What became of the events that this process published. */
  pushCounts?: () => DispatchCounts | undefined;
  /** Whether this process is the one that publishes; undefined until it takes part. */
  leads?: () => boolean | undefined;
  /** What became of the webhooks that this process sent. */
  webhookCounts?: () => SenderCounts | undefined;
  /** The streams of changes, where somebody wakes them. */
  changeStreams?: ChangeStreams;
  /** How long the last calendar build of this process took. */
  calendarBuildSeconds?: () => number | undefined;
  /** For tests: how long a client may be silent, and how slowly a body may come. */
  patience?: Patience;
  bodyPace?: BodyPace;
  /** For tests: the thread of large uploads, and its limits. */
  uploadThread?: UploadThreadOptions;
  /** For tests: the thread that hashes passwords. */
  hashThread?: HashThreadOptions;
};

/** Builds the application from what it needs; it listens nowhere and has started nothing. */
export async function buildApp(deps: Deps, options: AppOptions): Promise<FastifyInstance> {
  const {
    baseUrl,
    pushServer,
    pushCounts = () => undefined,
    leads = () => undefined,
    webhookCounts = () => undefined,
    calendarBuildSeconds = () => undefined,
    changeStreams = streamsOf(deps),
    patience = PATIENCE,
    bodyPace,
    uploadThread = { startWorker: startOf('upload-worker') },
    hashThread = { startWorker: startOf('hash-worker') },
  } = options;
  const { config } = deps;
  const bodyLimit = config.BODY_LIMIT_MB * 1024 * 1024;
  const originOf = originsOf(config, baseUrl);
  const app = fastify({
    loggerInstance: deps.log,
    bodyLimit,
    ...connectionOptions(patience),
    trustProxy: trustedProxies(config.TRUST_PROXY),
    genReqId: requestId,
    childLoggerFactory: lazyLog,
    // Ours says more in one line than Fastify's two, and nothing of the query: see request-log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 1000 },
    forceCloseConnections: 'idle',
    // What comes in on open connections during a stop is still served: Fastify's own 503 is not an answer of this API.
    return503OnClosing: false,
    frameworkErrors: unreadableAddress,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(securityHeaders);
  await app.register(conventions);
  await app.register(requestLog, { quiet: isReadByAll });
  await app.register(outageLog, { now: deps.now });
  const assets = await loadAssets();
  const settingOf = settingsOf(config, { assets, originOf, bound: baseUrl });
  await app.register(errorPages, { deps, settingOf });
  await app.register(errorAnswers, { outageOf });
  await app.register(jsonBody, {
    inFlight: bodiesInFlight(bodyLimit),
    ...(bodyPace && { pace: bodyPace }),
  });
  refuseExpectations(app.server);
  await app.register(cors, { origins: config.CORS_ORIGINS, api: API, openToAll: OPEN_TO_ALL });
  if (config.MAINTENANCE_MODE) await app.register(maintenance, { paused: PAUSED_IN_MAINTENANCE });
  await app.register(unknownPaths);
  await app.register(authentication, { deps });
  await app.register(auditRefusedWrites, { deps });
  const closeMethods = methodNotAllowed(app);
  await app.register(openApi, { originOf, info: API_INFO, tags: API_TAGS, publishedPath });
  const counted = {
    pushCounts,
    leads,
    webhookCounts,
    changeStreams: () => changeStreams.count(),
    calendarBuildSeconds,
  };
  await app.register(metrics, { deps, pushServer, ...counted });

  const perMinute = (max: number) => createLimiter({ max, windowMs: 60_000, now: deps.now });
  const countWrite = limitWrites(perMinute(config.RATE_LIMIT_WRITE));
  const countRead = config.RATE_LIMIT_READ > 0 ? perMinute(config.RATE_LIMIT_READ) : null;
  const bodyJudgement = judgeBodyAfter(requireCompetition(deps.reads, authorizeUpdate));
  await app.register(pingRoutes, { prefix: '/api/v1/ping', config });
  const passwords = createHashThread(deps, hashThread);
  app.addHook('onClose', () => passwords.close());
  await app.register(authRoutes, { prefix: '/api/v1/auth', deps, passwords, countWrite });
  const uploads = createUploadThread(deps, uploadThread);
  app.addHook('onClose', () => uploads.close());
  await app.register(competitionRoutes, { prefix: COMPETITIONS, deps, uploads, countWrite });
  await app.register(deletePartRoutes, { prefix: `${COMPETITIONS}/:comp_id`, deps, countWrite });
  await app.register(entriesRoutes, { prefix: `${COMPETITIONS}/:comp_id`, deps, uploads, countWrite });
  await app.register(waRoutes, { prefix: `${COMPETITIONS}/:comp_id`, deps, countWrite });
  const unitCache = createUnitCache(config.cacheBytes.units);
  const uncertainAttempts = createUncertainAttempts(deps.now);
  const saves = { deps: { ...deps, unitCache, uncertainAttempts }, countWrite, bodyJudgement };
  await app.register(unitRoutes, { prefix: UNITS, ...saves });
  await app.register(lynxRoutes, { prefix: `${COMPETITIONS}/:comp_id/lynx`, ...saves });
  await app.register(pushInfoRoutes, { prefix: '/api/v1/push', deps, originOf, baseUrl });
  await app.register(changeRoutes, {
    prefix: '/api/v1/changes',
    deps,
    streams: changeStreams,
    originOf,
    countRead,
  });
  await app.register(webhookRoutes, { prefix: '/api/v1/webhooks', deps, countWrite });
  // A stream has no end of its own, for which the HTTP server would wait.
  app.addHook('preClose', async () => changeStreams.close());
  await app.register(clientScriptRoutes, { prefix: '/assets' });
  const site = { deps, documents: createDocuments(deps, baseUrl), countRead };
  await app.register(siteRoutes, site);
  await app.register(siteRoutes, { prefix: LOCALE_PREFIX, ...site, hidden: true });
  const pages = { ...site, settingOf };
  await app.register(assetRoutes, { prefix: '/assets', assets });
  await app.register(widgetRoutes, { prefix: '/embed', assets });
  await app.register(oembedRoutes, { prefix: '/oembed', deps, originOf, countRead });
  await app.register(pageRoutes, pages);
  await app.register(pageRoutes, { prefix: LOCALE_PREFIX, ...pages });
  await app.register(frontRoutes, pages);
  await app.register(sitemapRoutes, { deps, countRead, originOf });
  await app.register(calendarRoutes, { prefix: '/live', config });
  await app.register(healthRoutes, { probes: createProbes(deps), logLevel: QUIET });
  if (pushServer) await servePush(app, deps, pushServer);

  closeMethods();
  return app;
}

/** What streams of changes are made with. */
export const streamsOf = ({ reads, log, config }: Deps): ChangeStreams =>
  createChangeStreams({
    db: reads,
    log,
    max: config.PUSH_MAX_CONNECTIONS,
    maxPerAddress: config.PUSH_MAX_CONNECTIONS_PER_ADDRESS,
  });

async function servePush(app: FastifyInstance, deps: Deps, server: PushServer): Promise<void> {
  const { config, pushApp, now } = deps;
  await app.register(pushRoutes, {
    server,
    app: pushApp,
    maxEventBytes: config.pushMaxEventBytes,
    now,
    logLevel: QUIET,
  });
  const addressOf = clientAddress(config.TRUST_PROXY);
  attachPushUpgrades(app.server, { server, addressOf: (request) => addressKey(addressOf(request)) });
  // Open WebSockets would keep the HTTP server from closing.
  app.addHook('preClose', () => server.close());
}

// The largest body that one may send, and that of somebody else meanwhile: what becomes of a body takes several times its size.
const bodiesInFlight = (bodyLimit: number) => ({ totalBytes: 2 * bodyLimit, addressBytes: bodyLimit });

// Many times a second when all is well: only failures are worth a line.
const QUIET = 'warn';

const COMPETITIONS = '/api/v1/competitions';
const UNITS = `${COMPETITIONS}/:comp_id/events/:event_id/units`;
