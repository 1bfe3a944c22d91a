// Addresses that events are published to, and that clients are told to connect to. Pure.
import type { NetworkInterfaceInfo } from 'node:os';
import type { Config } from '../config.ts';

export type Endpoint = { host: string; port: number; tls: boolean };

const portFor = (tls: boolean) => (tls ? 443 : 80);

/** The publish API of the configured or hosted service. */
export function publishEndpoint(config: Config): Endpoint {
  const tls = config.PUSHER_TLS ?? true;
  const host = config.PUSHER_HOST ?? `api-${config.PUSHER_CLUSTER}.pusher.com`;
  return { host, port: config.PUSHER_PORT ?? portFor(tls), tls };
}

/**
 * The publish API of the push server in this process, as the other processes reach it: where it listens, or the machine's
 * first address in a network when it listens on all of them.
 */
export function serverAddress(
  bound: { host: string; port: number },
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>,
): string {
  const host = outsideHost(bound.host, interfaces);
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
}

function outsideHost(bound: string, interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string {
  if (bound !== '0.0.0.0' && bound !== '::') return bound;
  const outside = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    // Link-local addresses of IPv6 mean nothing without the interface.
    .filter(({ internal, scopeid }) => !internal && !scopeid);
  const first = outside.find(({ family }) => family === 'IPv4') ?? (bound === '::' ? outside[0] : undefined);
  return first?.address ?? '127.0.0.1';
}

/**
 * What clients connect to.
 * @param origins that under which the client knows this service, and that of where it listens: to which settings are additions
 */
export function clientEndpoint(config: Config, origins: { asked: string; bound: string }): Endpoint {
  const own = config.PUSHER_PUBLIC_HOST === undefined ? origins.asked : origins.bound;
  const inner = config.embeddedPush ? ownEndpoint(own) : serviceEndpoint(config);
  const tls = config.PUSHER_PUBLIC_TLS ?? inner.tls;
  const host = config.PUSHER_PUBLIC_HOST ?? inner.host;
  return { host, port: config.PUSHER_PUBLIC_PORT ?? (tls === inner.tls ? inner.port : portFor(tls)), tls };
}

/** Scheme and host of it, as a content security policy names them. */
export function socketOrigin(config: Config, origins: { asked: string; bound: string }): string {
  const { host, port, tls } = clientEndpoint(config, origins);
  return `${tls ? 'wss' : 'ws'}://${host}:${port}`;
}

function ownEndpoint(baseUrl: string): Endpoint {
  const { hostname, port, protocol } = new URL(baseUrl);
  const tls = protocol === 'https:';
  return { host: hostname, port: port === '' ? portFor(tls) : Number(port), tls };
}

function serviceEndpoint(config: Config): Endpoint {
  const tls = config.PUSHER_TLS ?? true;
  const host = config.PUSHER_HOST ?? `ws-${config.PUSHER_CLUSTER}.pusher.com`;
  return { host, port: config.PUSHER_PORT ?? portFor(tls), tls };
}
