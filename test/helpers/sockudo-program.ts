// Sockudo as docker-compose.yml runs it: the program that SOCKUDO_BIN names, in the environment and with the settings
// of that file.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { freePort } from './free-port.ts';
import { get } from './http-client.ts';
import { type Environment, type Program, ROOT, startCommand } from './program.ts';

/** Where there is none, what needs it is skipped. */
export const SOCKUDO = process.env['SOCKUDO_BIN'];

const compose: { 'x-sockudo-environment': Environment } = parse(
  readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'),
);
/** What the composition sets for every node. */
export const COMPOSED = compose['x-sockudo-environment'];

const SETTINGS = join(ROOT, 'deploy/sockudo.json');

export type Identity = Record<'PUSHER_APP_ID' | 'PUSHER_KEY' | 'PUSHER_SECRET', string>;
export type SockudoNode = Program & { host: string; port: number; metricsPort: number };

const PATIENCE_MS = 30_000;

/**
 * Starts a node at an address of this machine and waits until it says that it is well.
 * @param changed what differs from the composition
 */
export async function launchSockudo(
  { PUSHER_APP_ID, PUSHER_KEY, PUSHER_SECRET }: Identity,
  changed: Environment = {},
): Promise<SockudoNode> {
  // It looks for a file of settings where it is started.
  const folder = mkdtempSync(join(tmpdir(), 'athletics-sockudo-'));
  const env: Environment & Record<'HOST' | 'PORT' | 'METRICS_PORT', string> = {
    ...COMPOSED,
    SOCKUDO_DEFAULT_APP_ID: PUSHER_APP_ID,
    SOCKUDO_DEFAULT_APP_KEY: PUSHER_KEY,
    SOCKUDO_DEFAULT_APP_SECRET: PUSHER_SECRET,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
    ...changed,
  };
  const program = startCommand({ command: SOCKUDO!, args: ['--config', SETTINGS], env, cwd: folder });
  void program.ended.then(() => rmSync(folder, { recursive: true, force: true }));
  const node = {
    ...program,
    host: env.HOST,
    port: Number(env.PORT),
    metricsPort: Number(env.METRICS_PORT),
  };
  await untilWell(node);
  return node;
}

async function untilWell(node: SockudoNode): Promise<void> {
  const { host, port, written } = node;
  const deadline = performance.now() + PATIENCE_MS;
  const state = { over: false };
  void node.ended.then(() => (state.over = true));
  while (!state.over) {
    const status = await get(`http://${host}:${port}/up`).then(
      (reply) => reply.status,
      () => undefined,
    );
    if (status === 200) return;
    if (performance.now() > deadline) break;
    await sleep(20);
  }
  await node.kill('SIGKILL');
  throw new Error(`Sockudo is not up: ${written.stdout}${written.stderr}`);
}

/** How many channels somebody is subscribed to. Its HTTP API keeps its first answer to that for a long while. */
export async function activeChannels({ metricsPort }: SockudoNode): Promise<number> {
  const { text } = await get(`http://127.0.0.1:${metricsPort}/metrics`);
  return Number(/^sockudo_active_channels\{.*\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
