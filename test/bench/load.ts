// Load from a process of its own: as many requests as a number of connections can make, one after the other on each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';

const SCRIPT = fileURLToPath(new URL('load-process.mjs', import.meta.url));

/** What every connection sends, or what each of them sends in turn. */
export type Load = { connections: number; status?: number } & (
  Request | { of: (connection: number) => Request[] }
);
type Request = { url: string; method?: string; headers?: Record<string, string>; body?: string };

/** @returns answers per second. @throws when one of them is not of the status expected */
export async function requestsPerSecond(bench: Bench, load: Load): Promise<number> {
  const { seconds } = bench.effort;
  const { connections, status = 200 } = load;
  const requestsOf = 'of' in load ? load.of : () => [load];
  const requests = Array.from({ length: connections }, (_, connection) => requestsOf(connection));
  const { hostname: host, port } = new URL(requests[0]![0]!.url);
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  bench.afterwards(() => child.kill('SIGKILL'));
  child.stdin.end(
    JSON.stringify({
      host,
      port: Number(port),
      seconds,
      connections: requests.map((each) => each.map(onTheWire)),
    }),
  );
  const [written] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const answers = JSON.parse(written || '{"none": 1}') as Record<string, number>;
  const { [status]: expected = 0, ...others } = answers;
  if (Object.keys(others).length > 0)
    throw new Error(`${requests[0]![0]!.url} under load answers ${written}`);
  return expected / seconds;
}

function onTheWire({ url, method = 'GET', headers = {}, body = '' }: Request): string {
  const { host, pathname, search } = new URL(url);
  const length = body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${pathname}${search} HTTP/1.1`, ...lines, '', body].join('\r\n');
}
