// The server process: the environment in, a running server, and the signals that stop it.
import { loadConfig } from './config.ts';
import { AppError } from './errors.ts';
import { startServer } from './server.ts';
import { stopGracefully } from './stop.ts';

try {
  const server = await startServer(loadConfig(process.env));
  const { log } = server.deps;
  log.info(`Ready at ${server.baseUrl} (API explorer: ${server.baseUrl}/docs)`);
  stopGracefully(log, server.close);
} catch (error) {
  // A mistake of the operator is one line with the remedy; anything else keeps its stack.
  const message =
    error instanceof AppError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
