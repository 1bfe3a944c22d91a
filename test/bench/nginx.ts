// A web server over a folder of prepared files: what public reads are held against. One worker, as the service is one process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { freePort } from '../helpers/free-port.ts';
import { deployedConfig } from '../helpers/nginx-config.ts';
import { NGINX } from '../helpers/nginx-program.ts';
import { request } from './request.ts';

export const NGINX_MISSING = 'not measured: nginx is not installed';

const configuration = (folder: string, port: number) => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100 inactive=60s;
  open_file_cache_valid 60s;
  gzip_static on;
  default_type application/json;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; root ${folder}/files; }
}`;

/** Serves these files. @returns its address */
export async function startNginx(bench: Bench, files: Record<string, Buffer>): Promise<string> {
  const folder = await bench.folder();
  await mkdir(join(folder, 'files'));
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, 'files', name), bytes);
  await chmod(join(folder, 'files'), 0o755);
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port));
  run(bench, folder);
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/${Object.keys(files)[0]!}`);
  return url;
}

/** As it is deployed, before a server on this port; one worker. These files are calendar files of its own. @returns its address */
export async function startDeployedNginx(
  bench: Bench,
  { app, files }: { app: string; files: Record<string, Buffer> },
): Promise<string> {
  const [folder, port] = [await bench.folder(), await freePort()];
  const served = join(folder, 'main/live/bench');
  await mkdir(served, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(served, name), bytes);
  await chmod(folder, 0o755);
  const config = await deployedConfig({
    port,
    apps: [app],
    staticRoot: folder,
    values: { EDGE_CACHE_SECONDS: '1' },
  });
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;\n${config.replace('worker_processes auto', 'worker_processes 1')}`,
  );
  run(bench, folder);
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/live/bench/${Object.keys(files)[0]!}`);
  return url;
}

function run(bench: Bench, folder: string): void {
  const files = ['-p', `${folder}/`, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  const child = spawn(NGINX!, files, { stdio: 'ignore' });
  const ended = once(child, 'close');
  bench.afterwards(async () => {
    child.kill('SIGTERM');
    await ended;
  });
}

async function answering(url: string): Promise<void> {
  const agent = new Agent();
  for (let tries = 0; ; tries += 1) {
    const answer = await request({ url, agent }).catch(() => undefined);
    if (answer?.status === 200) return;
    if (tries === 200) throw new Error(`nginx does not serve ${url}: ${answer?.status ?? 'no answer'}`);
    await sleep(20);
  }
}
