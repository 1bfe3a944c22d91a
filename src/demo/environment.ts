// The environment of the demo: where to listen and what to print. Everything else is embedded.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';

type Environment = Record<string, string | undefined>;

const KEPT = ['HOST', 'PORT', 'BASE_URL', 'TRUST_PROXY', 'CORS_ORIGINS'];

/** @throws OperatorError with DATABASE_URL set: a demo account never reaches a real database */
export function demoConfig(env: Environment): Config {
  if (env['DATABASE_URL']?.trim()) {
    throw new OperatorError(
      'The demo has a database of its own and does not run with DATABASE_URL set; unset it, or use npm start',
    );
  }
  return loadConfig({
    ...Object.fromEntries(KEPT.map((key) => [key, env[key]])),
    DATA_DIR: join(env['DATA_DIR']?.trim() || '.data', 'demo'),
    ENVIRONMENT: 'demo',
    LOG_LEVEL: env['LOG_LEVEL']?.trim() || 'warn',
  });
}

/** The configured port, or 0 (any free one) when something else listens there. */
export async function usablePort({ HOST: host, PORT: port }: Config): Promise<number> {
  const probe = createServer();
  const busy = await new Promise<boolean>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(true) : reject(error),
    );
    probe.listen({ host, port }, () => probe.close(() => resolve(false)));
  });
  return busy ? 0 : port;
}
