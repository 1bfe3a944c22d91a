// Origin under which the service is linked to: BASE_URL where it is set, else the host that the request asked. On a stadium's
// network people come by whatever address this machine has there.
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** The origin of a link in an answer to this request. */
export type OriginOf = (request: Pick<FastifyRequest, 'host' | 'protocol'>) => string;

/** What such an answer says of its keeping: the next reader may have asked another host. */
export const NOT_KEPT = { 'cache-control': 'no-store' };

/**
 * `request.host` is what Fastify makes of it: X-Forwarded-Host counts where the proxy is trusted.
 * @param bound where the server listens; for requests whose host nobody could have come by
 */
export function originsOf({ BASE_URL }: Pick<Config, 'BASE_URL'>, bound: () => string): OriginOf {
  if (BASE_URL !== undefined) return () => BASE_URL;
  return ({ host, protocol }) => originAsked(host, protocol) ?? bound();
}

/**
 * Whether this service is certain to be reached by the host that was asked: BASE_URL, where it listens, or the address of this
 * machine that the connection came in at. Any other name is the client's word.
 */
export function ownOrigins({ BASE_URL }: Pick<Config, 'BASE_URL'>, bound: () => string) {
  if (BASE_URL !== undefined) return () => true;
  return ({ host, protocol, socket }: Pick<FastifyRequest, 'host' | 'protocol' | 'socket'>): boolean => {
    const origin = originAsked(host, protocol) ?? bound();
    if (origin === bound()) return true;
    const address = socket.localAddress?.replace(/^::ffff:/, '');
    const { hostname, port } = new URL(origin);
    const isAddress = hostname === address || hostname === `[${address}]`;
    return isAddress && Number(port || USUAL_PORTS[protocol]) === socket.localPort;
  };
}

const USUAL_PORTS: Record<string, number> = { http: 80, https: 443 };

const NAME_LENGTH = 253;
const PORT_LENGTH = ':65535'.length;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^(\\[[0-9a-f:.]{2,45}\\]|${LABEL}(?:\\.${LABEL})*)(?::[1-9]\\d{0,4})?$`, 'i');

/** The origin of a Host header: of a host name or IP address with or without a port; null of anything else. */
export function originAsked(host: string, protocol: string): string | null {
  const name = host.length > NAME_LENGTH + PORT_LENGTH ? undefined : HOST.exec(host)?.[1];
  const text = `${protocol === 'https' ? 'https' : 'http'}://${host}`;
  if (name === undefined || name.length > NAME_LENGTH || !URL.canParse(text)) return null;
  const { origin, hostname } = new URL(text);
  // Where the parser finds another address than is written (127.1 is one, and 0x7f000001) there was no name.
  return name.startsWith('[') || hostname === name.toLowerCase() ? origin : null;
}
