// The real application on a database of its own: a clock that stands still until moved, and no network.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { type AppOptions, buildApp } from '../../src/app.ts';
import { issueToken } from '../../src/accounts/authenticate.ts';
import { loadConfig } from '../../src/config.ts';
import { connect, connectReads, type Db } from '../../src/db/client.ts';
import { accountGroups, accounts } from '../../src/db/schema.ts';
import type { Deps } from '../../src/deps.ts';
import type { StartThread } from '../../src/threads.ts';
import { createTestDatabase } from './db.ts';
import { built } from './program.ts';

const START = new Date('2026-06-01T12:00:00.000Z');

export type Answer = {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with what is expected, never trusted
  body: any;
};

export type Client = {
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;
  patch: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;
  delete: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  request: (options: InjectOptions) => Promise<Answer>;
};

export type TestApp = Client & {
  app: FastifyInstance;
  deps: Deps;
  db: Db;
  /** For what the service itself may not do to its database. */
  ownerUrl: string;
  clock: { now: Date; advance: (ms: number) => void };
  /** A client signed in with a new account of these groups. */
  as: (...groups: string[]) => Promise<Client & { email: string; id: string; token: string }>;
  close: () => Promise<void>;
};

// Threads as they are built start in a third of the time.
export const startBuiltWorker: StartThread = (options) => new Worker(built('src/upload-worker.ts'), options);
export const startBuiltHashWorker: StartThread = (options) =>
  new Worker(built('src/hash-worker.ts'), options);

const BUILT_THREADS: Partial<AppOptions> = {
  uploadThread: { startWorker: startBuiltWorker },
  hashThread: { startWorker: startBuiltHashWorker },
};

export async function startTestApp(
  env: Record<string, string> = {},
  options: Partial<AppOptions> = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'athletics-app-'));
  const log = pino({ level: 'silent' });
  const clock = {
    now: START,
    advance: (ms: number) => {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
  const db = connect(database.serviceUrl, () => {}, 5);
  const reads = connectReads(database.serviceUrl, () => {}, 5);
  const deps: Deps = {
    config: loadConfig({ DATA_DIR: folder, ...env }),
    db,
    reads,
    databaseUrl: database.serviceUrl,
    now: () => clock.now,
    log,
    pushApp: { id: '1', key: 'key', secret: 'secret' },
    jwtSecrets: ['a secret of the tests, long enough for HS256'],
    installationId: 'urn:test',
  };
  const app = await buildApp(deps, {
    baseUrl: () => 'http://data.test',
    pushServer: null,
    ...BUILT_THREADS,
    ...options,
  });
  await app.ready();
  const close = async () => {
    await app.close();
    await Promise.all([db.$client.end(), reads.$client.end()]);
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
  const { url: ownerUrl } = database;
  return {
    app,
    deps,
    db,
    ownerUrl,
    clock,
    close,
    ...clientOf(app),
    as: (...groups) => signIn(app, deps, groups),
  };
}

let accountNumber = 0;

async function signIn(app: FastifyInstance, deps: Deps, groups: string[]) {
  const email = `account${++accountNumber}@example.org`;
  const [account] = await deps.db.insert(accounts).values({ email, passwordHash: 'none' }).returning();
  const { id } = account!;
  if (groups.length) {
    await deps.db.insert(accountGroups).values(groups.map((groupName) => ({ accountId: id, groupName })));
  }
  const token = issueToken(app, { id, tokenEpoch: 0 }, deps.now());
  return { email, id, token, ...clientOf(app, { authorization: `Bearer ${token}` }) };
}

export function clientOf(app: FastifyInstance, base: Record<string, string> = {}): Client {
  const request = async (options: InjectOptions) => {
    const headers = { ...base, ...options.headers };
    return toAnswer(await app.inject({ ...options, headers }));
  };
  const send = (method: 'POST' | 'PATCH') => (url: string, body: unknown, headers?: Record<string, string>) =>
    request({
      method,
      url,
      payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  return {
    request,
    get: (url, headers = {}) => request({ method: 'GET', url, headers }),
    post: send('POST'),
    patch: send('PATCH'),
    delete: (url, headers = {}) => request({ method: 'DELETE', url, headers }),
  };
}

function toAnswer(response: LightMyRequestResponse): Answer {
  const { 'content-type': type, 'content-encoding': encoding } = response.headers;
  const isJson = String(type).startsWith('application/json') && encoding === undefined;
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: isJson && response.body ? (JSON.parse(response.body) as unknown) : undefined,
  };
}
