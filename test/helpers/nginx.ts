// nginx as it is deployed: the machine's own program, with deploy/nginx.conf filled in as the container's start does it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deployedConfig, type NginxOptions } from './nginx-config.ts';
import { NGINX } from './nginx-program.ts';
import { whenOver } from './shared.ts';
import { makeTestFolder } from './temporary.ts';

const PATIENCE_MS = 20_000;

/** Empty when nginx is here; else the end of the titles of tests that need it. */
export const withoutNginx = NGINX ? '' : ' (skipped: nginx is not installed)';

export const startNginx = async (options: NginxOptions): Promise<{ baseUrl: string }> =>
  runNginx(options.port, await deployedConfig(options));

/** nginx with a configuration that is whole but for its process, listening on that port. */
export async function runNginx(port: number, text: string): Promise<{ baseUrl: string }> {
  const folder = await makeTestFolder();
  const config = join(folder, 'nginx.conf');
  await writeFile(config, text);
  const logFile = join(folder, 'log');
  const output = openSync(logFile, 'a');
  const args = ['-p', `${folder}/`, '-c', config, '-g', 'daemon off;'];
  const child = spawn(NGINX!, args, { stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'close');
  whenOver(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await listening(port, () => child.exitCode === null).catch(async () => {
    throw new Error(`nginx does not run:\n${await readFile(logFile, 'utf8')}`);
  });
  return { baseUrl: `http://127.0.0.1:${port}` };
}

/** A folder that nginx's workers, who are another user when it is started by root, can read. */
export async function makeStaticRoot(): Promise<string> {
  const folder = await makeTestFolder();
  whenOver(() => rm(folder, { recursive: true, force: true }));
  for (const environment of ['main', 'test']) await mkdir(join(folder, environment));
  await chmod(folder, 0o755);
  return folder;
}

async function listening(port: number, isRunning: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (isRunning() && performance.now() < deadline) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await sleep(10);
  }
  throw new Error('not listening');
}
