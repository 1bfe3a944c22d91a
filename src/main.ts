// The server process: the environment in, a running server, and the signals that stop it.
import { loadConfig } from './config.ts';
import { withEnvFile } from './env-file.ts';
import { startServer } from './server.ts';
import { failStart, stopGracefully } from './stop.ts';

try {
  const server = await startServer(loadConfig(withEnvFile(process.env)));
  const { log } = server.deps;
  log.info(`Ready at ${server.baseUrl} (API explorer: ${server.baseUrl}/docs)`);
  stopGracefully({ log, close: server.close, npmScript: 'start' });
} catch (error) {
  failStart(error);
}
