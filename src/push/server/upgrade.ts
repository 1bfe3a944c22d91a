// Upgrades to WebSocket: push clients come in on the API's own port, and every other request for an upgrade stays harmless.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerOnSocket } from '../../http/bare-answer.ts';
import { appPath } from './app-path.ts';
import type { PushServer } from './push-server.ts';

export type UpgradeOptions = {
  server: PushServer;
  /** Whose connections are counted together; behind a proxy the client's own address has to come from its headers. */
  addressOf?: (request: IncomingMessage) => string;
};

export function attachPushUpgrades(http: Server, options: UpgradeOptions): void {
  const addressOf = options.addressOf ?? ((request) => request.socket.remoteAddress ?? '');
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isWebSocket(request)) return handBack(http, request, socket, head);
    // Without a listener a reset connection would end the process.
    socket.on('error', () => socket.destroy());
    if (!appPath(request.url ?? '')) return answerOnSocket(socket, NOWHERE);
    options.server.handleUpgrade(request, socket, head, addressOf(request));
  });
}

const NOWHERE = { status: 404, detail: 'No WebSocket at this address' };

function isWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

// Java's HTTP client and others offer HTTP/2 with every request ("Upgrade: h2c"). A server may ignore that, but Node gives
// each offer to this listener once there is one: so the request is put back without the offer, as if it had just come in.
function handBack(http: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
    if (/^(upgrade|http2-settings)$/i.test(name)) continue;
    lines.push(`${name}: ${/^connection$/i.test(name) ? withoutOffer(value) : value}`);
  }
  // Node reads header bytes as latin1.
  const start = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.unshift(Buffer.concat([start, head]));
  http.emit('connection', socket);
}

function withoutOffer(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !/^(upgrade|http2-settings)$/i.test(option)).join(', ');
}
