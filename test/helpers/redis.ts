// Debian's Redis, which keeps nothing: what passes through it is worth nothing a second later.
import { spawnSync } from 'node:child_process';
import { freePort } from './free-port.ts';
import { type Program, startCommand } from './program.ts';
import { onTestFinished } from 'vitest';

/** What to start; undefined when it is not installed. */
export const REDIS = ['redis-server', '/usr/bin/redis-server'].find(
  (program) => spawnSync(program, ['--version']).status === 0,
);

/** Prepared at an address of its own; it may be killed and started again there. */
export async function prepareRedis(): Promise<{ url: string; start: () => Promise<Program> }> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const program = startCommand({ command: REDIS!, args, env: {} });
      onTestFinished(async () => void (await program.kill('SIGKILL')));
      await program.until(/Ready to accept connections/);
      return program;
    },
  };
}
