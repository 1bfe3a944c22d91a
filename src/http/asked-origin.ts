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
