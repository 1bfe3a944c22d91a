// Push clients on a running server, told where to connect by the server itself: the real libraries, and a bare WebSocket.
import type PusherJs from 'pusher-js';
import { onTestFinished, vi } from 'vitest';
import { get } from './http-client.ts';
import { clientClasses, rawClient } from './push-server.ts';

export type Version = '8' | '7';
export type Pushed = { channel: string; event: string; data: unknown };

/** What arrives on these channels from now on, in order, at a client of that version of pusher-js; added to `received`. */
export async function listen(
  baseUrl: string,
  version: Version,
  channels: string[],
  received: Pushed[] = [],
): Promise<Pushed[]> {
  const client = await connectClient(baseUrl, version);
  const subscribed = channels.map((name) => {
    const channel = client.subscribe(name);
    channel.bind_global((event: string, data: unknown) => {
      if (!event.startsWith('pusher')) received.push({ channel: name, event, data });
    });
    return new Promise((resolve) => channel.bind('pusher:subscription_succeeded', resolve));
  });
  await Promise.all(subscribed);
  return received;
}

/** A client that disconnects when the test ends. */
export async function connectClient(baseUrl: string, version: Version): Promise<PusherJs.default> {
  const { key, cluster, host, port, tls } = (await get(`${baseUrl}/api/v1/push`)).body;
  const client = new clientClasses[version](key, {
    cluster,
    wsHost: host,
    wsPort: port,
    wssPort: port,
    forceTLS: tls,
    enabledTransports: [tls ? 'wss' : 'ws'],
  });
  onTestFinished(() => client.disconnect());
  return client;
}

/** A bare client subscribed to one channel: it sees the bytes that the libraries parse. */
export async function listenRaw(baseUrl: string, channel: string) {
  const { key, port } = (await get(`${baseUrl}/api/v1/push`)).body;
  const client = rawClient(Number(port), `/app/${key}?protocol=7&client=js&version=8.6.0`);
  onTestFinished(() => client.socket.terminate());
  await client.next();
  client.send({ event: 'pusher:subscribe', data: { channel } });
  await client.next();
  return client;
}

/** Waits until this many events have arrived. */
export async function arrived(received: Pushed[], count: number): Promise<Pushed[]> {
  await vi.waitFor(
    () => {
      if (received.length < count) throw new Error(`${received.length} of ${count} events arrived`);
    },
    { timeout: 20_000, interval: 10 },
  );
  return received;
}
