// The demo process: a made-up meeting under way on a server of its own, until Ctrl-C.
import { startDemo } from './demo/start.ts';
import { failStart, stopGracefully } from './stop.ts';

try {
  const demo = await startDemo(process.env, (text) => process.stdout.write(text));
  const { log } = demo.server.deps;
  stopGracefully({ log, close: demo.close, npmScript: 'demo' });
  await demo.playing.catch(async (error: unknown) => {
    await demo.close();
    throw error;
  });
} catch (error) {
  failStart(error);
}
