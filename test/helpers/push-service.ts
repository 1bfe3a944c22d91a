// A push server beside the servers, as an operator would run one, that tests may kill and start again at the same address:
// Sockudo where there is one, else our own in a process of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import type { Environment, Program } from './program.ts';
import { launch } from './server.ts';
import { activeChannels, SOCKUDO, type SockudoNode } from './sockudo-program.ts';
import { startSockudo } from './sockudo.ts';
import { startProxy } from './tcp-proxy.ts';

export type PushService = {
  port: number;
  /** What servers need to publish to it. */
  env: Environment;
  /** With channels: it takes events only once so many channels have subscribers. */
  start(channelsFirst?: number): Promise<Program>;
};

export const IDENTITY = {
  PUSHER_APP_ID: 'app',
  PUSHER_KEY: 'key',
  PUSHER_SECRET: 'secret of the push service',
};

/** What a server needs that publishes there. */
export const publishingTo = (port: number) => ({
  ...IDENTITY,
  PUSHER_EMBEDDED: 'false',
  PUSHER_HOST: '127.0.0.1',
  PUSHER_PORT: String(port),
  PUSHER_TLS: 'false',
});

/** Prepared, not started: until then its address refuses connections. */
export const preparePushService = (): Promise<PushService> => (SOCKUDO ? sockudo() : our());

async function our(): Promise<PushService> {
  const port = await freePort();
  return {
    port,
    env: publishingTo(port),
    async start(channelsFirst = 0) {
      const env = { ...IDENTITY, PORT: String(port), CHANNELS_FIRST: String(channelsFirst) };
      const program = launch('test/helpers/push-process.ts', env);
      await program.until(/Listening at/);
      return program;
    },
  };
}

async function sockudo(): Promise<PushService> {
  const port = await freePort();
  // What publishes goes through here; clients go straight to it.
  const door = await startProxy(port);
  return {
    port,
    env: {
      ...publishingTo(door.port),
      PUSHER_PUBLIC_HOST: '127.0.0.1',
      PUSHER_PUBLIC_PORT: String(port),
    },
    async start(channelsFirst = 0) {
      door.refuse(channelsFirst > 0);
      const node = await startSockudo(IDENTITY, { PORT: String(port) });
      if (channelsFirst > 0) openDoor(node, channelsFirst).catch(() => {});
      return node;
    },
  };

  async function openDoor(node: SockudoNode, channels: number): Promise<void> {
    while ((await activeChannels(node)) < channels) await sleep(20);
    door.refuse(false);
  }
}
