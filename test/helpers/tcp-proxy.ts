// A network between clients and a server, with the faults of real ones: cut, frozen, slow, or losing the answer to a commit.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type TcpProxy = {
  port: number;
  /** Resets every connection there is; new ones are let through. */
  cut(): void;
  /** Refuses new connections, or lets them through again. */
  refuse(refusing: boolean): void;
  /** Carries nothing more either way, and tells nobody: a machine that has vanished. Until thawed. */
  freeze(): void;
  thaw(): void;
  /** Carries everything so much later. */
  delay(ms: number): void;
  /**
   * From now on the next answer of Postgres that says so (`COMMIT`, or `UPDATE 1` of a statement by itself) is lost, and its
   * connection with it.
   * @returns resolves when it has happened
   */
  loseAnswer(tag: string): Promise<void>;
  /** How many connections there are. */
  connections(): number;
};

type Network = {
  frozen: boolean;
  refusing: boolean;
  delayMs: number;
  losing: { tag: string; lost: () => void } | undefined;
  pairs: Set<[Socket, Socket]>;
};

/** Stands before a port of this machine until the test ends. */
export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const network: Network = {
    frozen: false,
    refusing: false,
    delayMs: 0,
    losing: undefined,
    pairs: new Set(),
  };
  const server = createServer((outer) => {
    outer.on('error', () => undefined);
    if (network.refusing) outer.resetAndDestroy();
    else join(network, outer, connect(targetPort, '127.0.0.1'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const pair of network.pairs) reset(pair);
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut,
    refuse: (refusing) => void (network.refusing = refusing),
    freeze: () => setFrozen(network, true),
    thaw: () => setFrozen(network, false),
    delay: (ms) => void (network.delayMs = ms),
    loseAnswer: (tag) =>
      new Promise((resolve) => {
        network.losing = { tag, lost: resolve };
      }),
    connections: () => network.pairs.size,
  };
}

/** The same database, through the proxy. */
export function through(proxy: TcpProxy, url: string): string {
  const other = new URL(url);
  other.hostname = '127.0.0.1';
  other.port = String(proxy.port);
  return other.href;
}

function join(network: Network, outer: Socket, inner: Socket): void {
  const pair: [Socket, Socket] = [outer, inner];
  network.pairs.add(pair);
  carry(network, outer, inner);
  carry(network, inner, outer, (chunk) => {
    const { losing } = network;
    if (!losing || !isAnswer(chunk, losing.tag)) return true;
    network.losing = undefined;
    reset(pair);
    losing.lost();
    return false;
  });
  for (const [socket, other] of [pair, [inner, outer] as const]) {
    socket.on('error', () => undefined);
    socket.once('close', () => {
      network.pairs.delete(pair);
      other.destroy();
    });
    if (network.frozen) socket.pause();
  }
}

/** `pass` may look at what comes, and keep it. */
function carry(
  network: Network,
  from: Socket,
  to: Socket,
  pass: (chunk: Buffer) => boolean = () => true,
): void {
  from.on('data', (chunk: Buffer) => {
    if (!pass(chunk)) return;
    const send = () => {
      // What the other side does not take yet waits here, as in a real network.
      if (!to.destroyed && !to.write(chunk)) from.pause();
    };
    if (network.delayMs > 0) setTimeout(send, network.delayMs);
    else send();
  });
  to.on('drain', () => {
    if (!network.frozen) from.resume();
  });
  from.on('end', () => to.end());
}

// CommandComplete of the protocol: C, the length of the rest, the tag, a zero.
function isAnswer(chunk: Buffer, tag: string): boolean {
  const message = Buffer.alloc(tag.length + 6);
  message.write('C');
  message.writeInt32BE(tag.length + 5, 1);
  message.write(tag, 5);
  return chunk.includes(message);
}

function reset(pair: [Socket, Socket]): void {
  for (const socket of pair) socket.resetAndDestroy();
}

function setFrozen(network: Network, frozen: boolean): void {
  network.frozen = frozen;
  for (const socket of [...network.pairs].flat()) {
    if (frozen) socket.pause();
    else socket.resume();
  }
}
