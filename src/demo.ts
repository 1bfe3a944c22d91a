// npm run demo: a made-up meeting under way on a server of its own, until Ctrl-C.
import { startDemo } from './demo/start.ts';
import { AppError } from './errors.ts';
import { stopGracefully } from './stop.ts';

try {
  const demo = await startDemo(process.env, (text) => process.stdout.write(text));
  const { log } = demo.server.deps;
  stopGracefully(log, demo.close);
  await demo.playing.catch(async (error: unknown) => {
    await demo.close();
    throw error;
  });
} catch (error) {
  const message =
    error instanceof AppError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
