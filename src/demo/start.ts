// Starts the demo: the real server on embedded parts, its account, the greeting, and the meeting that moves.
import type { AddressInfo } from 'node:net';
import { clientEndpoint } from '../push/endpoints.ts';
import { type RunningServer, startServer } from '../server.ts';
import { demoAccount } from './account.ts';
import { createClient } from './client.ts';
import { demoConfig, usablePort } from './environment.ts';
import { greeting } from './greeting.ts';
import { playMeeting } from './play.ts';
import { prepareMeetings } from './prepare.ts';
import { takeTurn } from './turn.ts';

type Print = (text: string) => void;

export type Demo = {
  server: RunningServer;
  /** Ends with `close`, or fails when the meetings cannot be put in place. */
  playing: Promise<void>;
  close: () => Promise<void>;
};

export async function startDemo(env: Record<string, string | undefined>, print: Print): Promise<Demo> {
  const config = demoConfig(env);
  const port = await usablePort(config);
  if (port !== config.PORT) print(`Port ${config.PORT} is busy, so a free one is taken\n`);
  const server = await startServer({ ...config, PORT: port });
  const stop = new AbortController();
  const playing = play(server, print, stop.signal);
  const close = async () => {
    stop.abort();
    await playing.catch(() => {});
    await server.close();
  };
  return { server, playing, close };
}

async function play(server: RunningServer, print: Print, signal: AbortSignal): Promise<void> {
  const { deps, baseUrl } = server;
  const account = await demoAccount(deps);
  const client = createClient(localOrigin(server), account);
  const push = {
    ...clientEndpoint(deps.config, { asked: baseUrl, bound: baseUrl }),
    key: deps.pushApp.key,
    cluster: deps.config.PUSHER_CLUSTER,
  };
  const greet = once(() => print(greeting({ baseUrl, account, push, now: deps.now() })));
  const say = (line: string) => print(`${new Date().toTimeString().slice(0, 8)}  ${line}\n`);
  const onWait = () => {
    greet();
    say('Another demo plays on this data folder; this one goes on when that one stops');
  };
  const giveBack = await takeTurn(deps.databaseUrl, { onWait, signal });
  if (!giveBack) return;
  try {
    await prepareMeetings(client, deps.now());
    greet();
    await playMeeting(client, say, signal);
  } finally {
    await giveBack();
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/** Not the public address: behind a proxy that may lead elsewhere. */
function localOrigin({ app }: RunningServer): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
