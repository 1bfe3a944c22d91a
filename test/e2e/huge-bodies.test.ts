// Bodies as large as may be, made of the costliest parts: they take no more of the server than as much ordinary data.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { report } from '../helpers/figures.ts';
import { exchange, signIn } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';

const BYTES = 60_000_000;
const TICKS_PER_SECOND = 100;
// Ordinary data is parsed and judged as well; here and there a body takes somewhat more.
const MOST = 3;
const LINUX = process.platform === 'linux';

/** As many times as fit into the size of all bodies. */
const filled = (start: string, part: string, end: string) =>
  start + part.repeat(Math.floor((BYTES - start.length - end.length) / part.length)) + end;

const nested = (part: string) => {
  const depth = Math.floor(BYTES / (part.length + 1));
  return part.repeat(depth) + ']'.repeat(depth);
};

const A = '\\u0041';
/** So long that two million items are not reached. */
const LONG = A.repeat(20);

function ordinaryData(): string {
  const competitor = { first_name: 'Maren', last_name: 'Okafor', gender: 'F', date_of_birth: '2001-03-04' };
  const parts: string[] = [];
  for (let id = 0, bytes = 0; bytes < BYTES - 300; id++) {
    const part = JSON.stringify({
      competitor_id: String(id),
      ...competitor,
      nationality: 'GBR',
      pb: '11.82',
    });
    bytes += part.length + 1;
    parts.push(part);
  }
  // One fault, so that it is judged and not stored.
  return `{"competitors":[${parts.join(',')}],"date":"none"}`;
}

const HOSTILE: Record<string, () => string> = {
  'a flat list': () => filled(`["${A}"`, `,[],["${A}"]`, ']'),
  'a flat list within the limits': () => filled(`["${A}"`, `,[],"${LONG}"`, ']'),
  'the same in an unknown field': () => filled(`{"odd":["${A}"`, `,[],"${LONG}"`, ']}'),
  'lists in lists': () => nested(`["${A}",[],`),
  'lists in lists within the limits': () => nested(`["${LONG}${LONG}",[],`).replace('[],]', '[]]'),
};

/** What a server of its own, that has not done anything yet, takes for one body. */
async function costOf(body: string) {
  const env = await databaseEnvironment();
  const account = await makeAccount(env.DATABASE_MIGRATION_URL, 'ADMIN_GBR');
  const server = await startServerProcess(env);
  const { baseUrl, pid } = server;
  const headers = { authorization: `Bearer ${await signIn(baseUrl, account)}` };
  const before = await takenBy(pid);
  const { status } = await exchange('POST', `${baseUrl}/api/v1/competitions/`, headers, body);
  const after = await takenBy(pid);
  await server.kill('SIGKILL');
  return {
    status: status ?? 0,
    seconds: after.seconds - before.seconds,
    megabytes: after.megabytes - before.megabytes,
  };
}

/** Processor time, and the most memory so far. */
async function takenBy(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(status)!;
  return {
    seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    megabytes: Number(kilobytes) / 1024,
  };
}

test.runIf(LINUX && byLength(false, true))(
  'sixty megabytes of very many parts cost no more than a few times what as much ordinary data does',
  async () => {
    const ordinary = await costOf(ordinaryData());
    expect(ordinary.status).toBe(422);
    report({ ...ordinary });
    for (const [name, body] of Object.entries(HOSTILE)) {
      const cost = await costOf(body());
      const [time, memory] = [cost.seconds / ordinary.seconds, cost.megabytes / ordinary.megabytes];
      report({ [name]: cost.status, time: time.toFixed(2), memory: memory.toFixed(2) });
      expect(cost.status).toBeOneOf([400, 413, 422]);
      expect(Math.max(time, memory)).toBeLessThan(MOST);
    }
  },
  300_000,
);
