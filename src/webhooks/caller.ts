// The calls to receivers: every address is judged when it is connected to, whatever name led there; no redirect is followed, and
// of the answer no more is read than it takes to be done with it.
import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { callbackify } from 'node:util';
import { Agent, buildConnector, request } from 'undici';
import { bareHost, isAddress, mayCall } from './addresses.ts';

export type Call = { url: string; headers: Record<string, string>; body: string };
/** What came of a call: the status of its answer, or why there is none. */
export type Answer =
  { status: number; retryAfter: string | undefined; error?: never } | { status?: never; error: string };

export type Caller = {
  call(call: Call, stopping: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
};

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export type CallerOptions = {
  allowPrivate: boolean;
  /** For tests. */
  resolve?: Resolve;
  timeoutMs?: number;
};

const TIMEOUT_MS = 15_000;
const CONNECT_MS = 10_000;
// Of an answer: for a connection that can be used again. What is longer, or later, costs the connection.
const BODY = { bytesMax: 4096, ms: 1000 };

const NO_ADDRESS = 'the name has no address';

class ForbiddenAddress extends Error {}

export function createCaller({ allowPrivate, resolve, timeoutMs = TIMEOUT_MS }: CallerOptions): Caller {
  const resolved = resolve ?? (allowPrivate ? bySystem : byNameServer);
  const agent = new Agent({ connect: guardedConnector(allowPrivate, resolved), allowH2: false });
  return {
    call: (call, stopping) => send(agent, call, AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])),
    close: () => agent.destroy(),
  };
}

async function send(agent: Agent, { url, headers, body }: Call, signal: AbortSignal): Promise<Answer> {
  try {
    const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent });
    const { 'retry-after': retryAfter } = answer.headers;
    await answer.body
      .dump({ limit: BODY.bytesMax, signal: AbortSignal.any([signal, AbortSignal.timeout(BODY.ms)]) })
      .catch(() => undefined);
    answer.body.destroy();
    return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

/** Every socket is made here: of names those addresses are judged that the connection is made to, not others asked for before. */
function guardedConnector(allowPrivate: boolean, resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guardedLookup(allowPrivate, resolve) });
  return (options, callback) => {
    // Nobody looks an address up.
    const host = bareHost(options.hostname);
    if (isAddress(host) && !mayCall(host, allowPrivate)) return callback(new ForbiddenAddress(), null);
    return connect(options, callback);
  };
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

function guardedLookup(allowPrivate: boolean, resolve: Resolve) {
  const find = callbackify(async (hostname: string, family: LookupOptions['family']) => {
    const found = await resolve(hostname);
    // One bad among good ones is no accident.
    if (!found.every(({ address }) => mayCall(address, allowPrivate))) throw new ForbiddenAddress();
    const fitting = found.filter((one) => !family || one.family === family);
    if (fitting.length === 0) throw new Error(NO_ADDRESS);
    return fitting;
  });
  return (hostname: string, { all, family }: LookupOptions, callback: Found): void =>
    find(hostname, family, (error, found) => {
      // With an error there is nothing else.
      if (error) return callback(error, []);
      const [first] = found;
      return all ? callback(null, found) : callback(null, first!.address, first!.family);
    });
}

// The system's own lookup blocks one of four threads, which passwords and files need, for as long as a name server is silent.
const nameServers = new Resolver({ timeout: 2000, tries: 2 });

async function byNameServer(hostname: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([
    nameServers.resolve4(hostname),
    nameServers.resolve6(hostname),
  ]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}

// In a stadium names stand in files and are called out on the network.
const bySystem: Resolve = (hostname) => lookup(hostname, { all: true });

/** For the receiver's owner: what happened, and no address that it had. */
function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ForbiddenAddress) return 'leads to an address that is not public';
    if (at.name === 'TimeoutError') return 'no answer in time';
    if ('code' in at && typeof at.code === 'string') return WORDS[at.code] ?? at.code;
  }
  return 'not reachable';
}

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  ENOTFOUND: NO_ADDRESS,
  ENODATA: NO_ADDRESS,
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_ABORTED: 'broken off',
};
