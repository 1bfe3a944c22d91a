// The whole server inside the test's own process: quicker than a process of its own, for tests that kill nothing.
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { urlNow } from '../../src/db/client.ts';
import { createLog } from '../../src/log.ts';
import { startServer } from '../../src/server.ts';
import type { Environment } from './program.ts';

/** Runs until it is stopped, or the test ends. */
export async function serve(env: Environment) {
  const server = await startServer(loadConfig({ PORT: '0', ...env }), createLog('silent'));
  let closing: Promise<void> | undefined;
  const stop = () => (closing ??= server.close());
  onTestFinished(stop);
  return { baseUrl: server.baseUrl, databaseUrl: urlNow(server.deps.databaseUrl), stop };
}
