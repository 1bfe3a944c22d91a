// The server under measurement: a process of its own, as operators run it, with its limits off and its log quiet.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAccount } from '../../src/accounts/create-account.ts';
import { connect } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { signIn } from '../helpers/http-client.ts';
import type { Environment, Program } from '../helpers/program.ts';
import type { Bench } from './bench.ts';
import { freePort } from '../helpers/free-port.ts';
import { request, type Answer } from './request.ts';

export type Send = (method: string, path: string, body?: string | Buffer) => Promise<Answer>;

export type BenchServer = Program & {
  baseUrl: string;
  databaseUrl: string;
  /** May do everything in GBR. */
  headers: { authorization: string };
  /** Sends to the API over kept connections; refusals are errors. */
  api: Send;
  /** The longest time that its event loop stood still, since last asked. */
  longestStallMs(): Promise<number>;
  /** What of its memory is in use. How much is resident says more of what V8 has not given back yet than of a few megabytes. */
  neededBytes(): Promise<number>;
  /** Ends as it ends at an operator's Ctrl-C. */
  stop(): Promise<void>;
};

const ACCOUNT = { email: 'bench@example.org', password: 'correct horse' };
const SECRET = 'the secret of every server of the benchmark';
const UNLIMITED = { RATE_LIMIT_LOGIN: '0', RATE_LIMIT_WRITE: '0', RATE_LIMIT_READ: '0' };
/** Node's arguments for a program that is asked how long it stood still, and what it needs of its memory. */
export const WATCHED = [
  '--expose-gc',
  '--import',
  fileURLToPath(new URL('watch-program.mjs', import.meta.url)),
];
const PATIENCE_MS = 60_000;

/** A server on an empty database of its own, or on the database of another one. */
export async function startServer(
  bench: Bench,
  { databaseUrl, settings = {} }: { databaseUrl?: string; settings?: Environment } = {},
): Promise<BenchServer> {
  const url = databaseUrl ?? (await newDatabase(bench));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const env: Environment = {
    ...UNLIMITED,
    DATABASE_URL: url,
    DATA_DIR: await bench.folder(),
    JWT_SECRET: SECRET,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const nodeArgs = [...bench.effort.serverArgs];
  const script = nodeArgs.pop()!;
  const program = bench.program(script, env, [...WATCHED, ...nodeArgs]);
  await answering(program, baseUrl);
  const ask = askerOf(program);
  const headers = { authorization: `Bearer ${await signIn(baseUrl, ACCOUNT)}` };
  const agent = new Agent({ keepAlive: true });
  bench.afterwards(() => agent.destroy());
  return {
    ...program,
    baseUrl,
    databaseUrl: url,
    headers,
    api: sender(`${baseUrl}/api/v1`, headers, agent),
    longestStallMs: () => ask('stall'),
    neededBytes: () => ask('needs'),
    async stop() {
      agent.destroy();
      await program.kill('SIGTERM');
    },
  };
}

async function newDatabase(bench: Bench): Promise<string> {
  const url = await bench.database();
  await migrate(url);
  const db = connect(url, () => {}, 1);
  await createAccount({ db }, { ...ACCOUNT, groups: ['ADMIN_GBR'] });
  await db.$client.end();
  return url;
}

async function answering(program: Program, baseUrl: string): Promise<void> {
  let ended = false;
  void program.ended.then(() => (ended = true));
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (ended || performance.now() > deadline) {
      throw new Error(`The server does not answer:\n${program.written.stdout}${program.written.stderr}`);
    }
    await sleep(20);
  }
}

/** Sends over the connections of an agent; refusals are errors. */
function sender(base: string, headers: Record<string, string>, agent: Agent): Send {
  return async (method, path, body) => {
    const answer = await request({ url: base + path, method, headers, body, agent });
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString()}`);
    return answer;
  };
}

/** Asks a program that runs as WATCHED how long its event loop stood still since last asked (ms), or for the bytes that it needs. */
export function askerOf(program: Program): (figure: 'stall' | 'needs') => Promise<number> {
  let asked = 0;
  return async (figure) => {
    asked += 1;
    program.say(`${figure}\n`);
    const [, answer] = await program.until(new RegExp(`^Figure ${asked}: (\\S+)$`, 'm'));
    return Number(answer);
  };
}
