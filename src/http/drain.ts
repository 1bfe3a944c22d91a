// The end of an HTTP server: every request that came in gets its answer, within a limit.
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

export type Drain = {
  /** Takes no new connections and answers what comes on open ones. @returns how many requests were cut off at the limit */
  finish(limitMs: number): Promise<number>;
};

// A client in the midst of its work has sent its next request within this time, and is told with the answer.
const LINGER_MS = 1000;
const POLL_MS = 10;
const SHORT_TURN_MS = 0.1;
const QUIET_MS = 50;
const QUIET_WITHIN_MS = 500;

/**
 * To be made when the server has its listeners, before it listens. `upgraded` counts the connections that are no longer HTTP.
 *
 * A client sends its next request on a connection that it believes open. Closing idle connections at once, as
 * http.Server.close does, meets such requests on their way and resets them. So first only the listening socket is closed:
 * who connects anew is refused, and may safely try elsewhere. Open connections go on for a moment, each answer telling the
 * client not to use its connection again. Only those still silent after that moment are closed by us.
 */
export function createDrain(server: Server, upgraded: () => number): Drain {
  const answering = new Set<ServerResponse>();
  let finishing = false;
  let held: (() => void)[] | undefined;
  const listeners = server.listeners('request') as RequestListener[];
  const pass: RequestListener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  function answered(this: ServerResponse): void {
    answering.delete(this);
  }
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    answering.add(response);
    response.on('close', answered);
    if (finishing) endsConnection(response);
    if (held) held.push(() => pass(request, response));
    else pass(request, response);
  });
  const isDone = async (elapsedMs: number) =>
    answering.size === 0 && (elapsedMs >= LINGER_MS || (await connectionsOf(server)) <= upgraded());
  return {
    async finish(limitMs) {
      // Whoever waits for an answer does not connect anew.
      const waiting: (() => void)[] = (held = []);
      await stopListening(server);
      held = undefined;
      const startedMs = performance.now();
      const elapsedMs = () => performance.now() - startedMs;
      finishing = true;
      for (const response of answering) endsConnection(response);
      for (const serve of waiting) serve();
      while (elapsedMs() < limitMs && !(await isDone(elapsedMs()))) await sleep(POLL_MS);
      const cutOff = answering.size;
      if (cutOff > 0) server.closeAllConnections();
      else server.closeIdleConnections();
      return cutOff;
    },
  };
}

function endsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

// Connections that the kernel has completed and nobody has accepted are reset when the socket is closed. Clients whose requests
// are held open no others, so first a time without new ones is waited for, within a limit. Then the socket is closed at the end
// of a short turn of the event loop that has brought none.
async function stopListening(server: Server): Promise<void> {
  let acceptedMs = performance.now();
  const onConnection = () => {
    acceptedMs = performance.now();
  };
  server.on('connection', onConnection);
  const startedMs = performance.now();
  const withinMs = (limitMs: number) => performance.now() - startedMs < limitMs;
  while (performance.now() - acceptedMs < QUIET_MS && withinMs(QUIET_WITHIN_MS)) await sleep(1);
  for (let quiet = false; !quiet && withinMs(2 * QUIET_WITHIN_MS);) {
    const turnMs = performance.now();
    await nextTurn();
    quiet = acceptedMs < turnMs && performance.now() - turnMs < SHORT_TURN_MS;
  }
  server.off('connection', onConnection);
  NetServer.prototype.close.call(server);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
