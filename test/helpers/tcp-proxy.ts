// A network between clients and a server that a test can cut.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type TcpProxy = {
  port: number;
  /** Resets every connection there is; new ones are let through. */
  cut(): void;
};

export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = createServer((outer) => {
    const inner = connect(targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      keep(socket);
      socket.pipe(other);
      socket.once('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, cut };
}
