// Load from a process of its own: as many requests as a number of connections can make, one after the other on each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import type { Bench } from './bench.ts';

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');

export type Load = { url: string; connections: number; headers?: Record<string, string>; status?: number };
type Report = { duration: number; errors: number; statusCodeStats: Record<string, { count: number }> };

/** @returns answers per second. @throws when one of them is not of the status expected */
export async function requestsPerSecond(
  bench: Bench,
  { url, connections, headers = {}, status = 200 }: Load,
): Promise<number> {
  const own = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const amount = ['-j', '-c', String(connections), '-d', String(bench.effort.seconds)];
  const child = spawn(process.execPath, [AUTOCANNON, ...amount, ...own, url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  bench.afterwards(() => child.kill('SIGKILL'));
  const [written] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const { duration, errors, statusCodeStats } = JSON.parse(written) as Report;
  const answers = statusCodeStats[status]?.count ?? 0;
  const others = Object.keys(statusCodeStats).filter((code) => code !== String(status));
  if (errors > 0 || others.length > 0) throw new Error(`${url} under load: ${errors} errors, ${written}`);
  return answers / duration;
}
