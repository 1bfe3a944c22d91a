// A push server beside the servers, as an operator would run one, that tests may kill and start again at the same address.
import { freePort } from './free-port.ts';
import type { Environment, Program } from './program.ts';
import { launch } from './server.ts';

export type PushService = {
  port: number;
  /** What servers need to publish to it. */
  env: Environment;
  /** With channels: it takes events only once so many channels have subscribers. */
  start(channelsFirst?: number): Promise<Program>;
};

/** Prepared, not started: until then its address refuses connections. */
export async function preparePushService(): Promise<PushService> {
  const port = await freePort();
  const identity = {
    PUSHER_APP_ID: 'app',
    PUSHER_KEY: 'key',
    PUSHER_SECRET: 'secret of the push service',
  };
  return {
    port,
    env: {
      ...identity,
      PUSHER_EMBEDDED: 'false',
      PUSHER_HOST: '127.0.0.1',
      PUSHER_PORT: String(port),
      PUSHER_TLS: 'false',
    },
    async start(channelsFirst = 0) {
      const env = { ...identity, PORT: String(port), CHANNELS_FIRST: String(channelsFirst) };
      const program = launch('test/helpers/push-process.ts', env);
      await program.until(/Listening at/);
      return program;
    },
  };
}
