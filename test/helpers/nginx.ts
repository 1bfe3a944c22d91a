// nginx as it is deployed: the machine's own program, with deploy/nginx.conf filled in as the container's start does it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { NGINX } from './nginx-program.ts';
import { makeTestFolder } from './temporary.ts';

const TEMPLATE = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url));
const PATIENCE_MS = 20_000;

/** Empty when nginx is here; else the end of the titles of tests that need it. */
export const withoutNginx = NGINX ? '' : ' (skipped: nginx is not installed)';

export type NginxOptions = {
  port: number;
  /** Ports of the replicas on this machine. */
  apps: string[];
  /** Holds main/ and test/, each the STATIC_DIR of an environment. */
  staticRoot: string;
  /** Further values of the template. */
  values?: Record<string, string>;
};

/** Every name that the template leaves to its environment. */
export async function templateNames(): Promise<string[]> {
  const names = (await readFile(TEMPLATE, 'utf8')).matchAll(/\$\{(\w+)\}/g);
  return [...new Set(Array.from(names, ([, name]) => name!))];
}

export async function startNginx(options: NginxOptions): Promise<{ baseUrl: string }> {
  const folder = await makeTestFolder();
  const config = join(folder, 'nginx.conf');
  await writeFile(config, await fillIn(valuesOf(options)));
  const logFile = join(folder, 'log');
  const output = openSync(logFile, 'a');
  const args = ['-p', `${folder}/`, '-c', config, '-g', 'daemon off;'];
  const child = spawn(NGINX!, args, { stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await listening(options.port, () => child.exitCode === null).catch(async () => {
    throw new Error(`nginx does not run:\n${await readFile(logFile, 'utf8')}`);
  });
  return { baseUrl: `http://127.0.0.1:${options.port}` };
}

/** A folder that nginx's workers, who are another user when it is started by root, can read. */
export async function makeStaticRoot(): Promise<string> {
  const folder = await makeTestFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const environment of ['main', 'test']) await mkdir(join(folder, environment));
  await chmod(folder, 0o755);
  return folder;
}

function valuesOf({ port, apps, staticRoot, values }: NginxOptions): Record<string, string> {
  const servers = apps.map((app) => `server 127.0.0.1:${app} max_fails=0;`).join('\n');
  return {
    NGINX_LISTEN: `127.0.0.1:${port}`,
    // Nobody is asked: there are no names.
    NGINX_LOCAL_RESOLVERS: '127.0.0.1',
    STATIC_ROOT: staticRoot,
    BODY_LIMIT_MB: '64',
    OUTER_PROXY: 'unix:',
    APP_SERVERS: servers,
    PUSH_SERVERS: servers,
    TEST_APP: '127.0.0.1:1',
    TEST_PUSH: '127.0.0.1:1',
    ...values,
  };
}

async function fillIn(values: Record<string, string>): Promise<string> {
  const template = await readFile(TEMPLATE, 'utf8');
  return template.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => {
    if (values[name] === undefined) throw new Error(`${whole} has no value`);
    return values[name];
  });
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
