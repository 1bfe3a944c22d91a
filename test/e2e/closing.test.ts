import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { quietTurn } from '../../src/http/quiet-turn.ts';
import { report } from '../helpers/figures.ts';
import { freePort } from '../helpers/push-service.ts';
import { launch } from '../helpers/server.ts';

const STOPS = 12;
const OPEN_MS = 60;

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function open(port: number, preClose: () => Promise<void>) {
  const app = fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  app.post('/', async () => {
    work(0.5);
    await sleep(3);
    work(0.5);
    return 'done';
  });
  app.addHook('preClose', preClose);
  await app.listen({ port, host: '127.0.0.1' });
  return app;
}

/** What callers saw of a server that was stopped and started again so many times. */
async function stopUnderLoad(preClose: () => Promise<void>): Promise<Record<string, number>> {
  const port = await freePort();
  let app = await open(port, preClose);
  const callers = launch('test/helpers/callers.ts', { PORT: String(port) });
  await callers.until(/Calling/);
  for (let stop = 0; stop < STOPS; stop += 1) {
    await sleep(OPEN_MS);
    await app.close();
    app = await open(port, preClose);
  }
  await callers.kill('SIGTERM');
  await app.close();
  return JSON.parse(callers.written.stdout.split('\n')[1]!);
}

const resets = (outcomes: Record<string, number>) => outcomes['ECONNRESET'] ?? 0;

it('a port that is closed in a quiet turn resets far fewer connections than one closed at any moment', async () => {
  const anyMoment = await stopUnderLoad(async () => {});
  const quiet = await stopUnderLoad(quietTurn);
  report({ stops: STOPS, 'resets at any moment': resets(anyMoment), 'in a quiet turn': resets(quiet) });
  for (const outcomes of [anyMoment, quiet]) expect(outcomes['200']).toBeGreaterThan(STOPS);
  expect(resets(quiet)).toBeLessThanOrEqual(resets(anyMoment) / 2);
});
