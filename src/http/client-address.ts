// The client's address behind proxies: for requests, and for WebSocket upgrades, which Fastify does not see.
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** True trusts every proxy, a number that many of the nearest, a text the listed addresses and networks. */
export type TrustProxy = boolean | number | string;

export function clientAddress(trustProxy: TrustProxy): (request: IncomingMessage) => string {
  if (trustProxy === false) return (request) => request.socket.remoteAddress ?? '';
  const trust = trustedProxies(trustProxy);
  return (request) => proxyAddr(request, trust) ?? '';
}

/** Judges a proxy by its address and by its distance in hops. */
export function trustedProxies(
  trustProxy: boolean | number | string,
): (address: string, hop: number) => boolean {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  return proxyAddr.compile(trustProxy.split(',').map((address) => address.trim()));
}
