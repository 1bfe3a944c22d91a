// Callers that never stop posting, each time on a new connection, as a proxy does. Prints what became of the requests.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const { PORT = '0', CALLERS = '6' } = process.env;
const outcomes = new Map<string, number>();
const state = { over: false };
process.once('SIGTERM', () => (state.over = true));
process.stdout.write('Calling\n');
await Promise.all(Array.from({ length: Number(CALLERS) }, callOnAndOn));
process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);

async function callOnAndOn(): Promise<void> {
  while (!state.over) {
    const outcome = await call();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome === 'ECONNREFUSED') await sleep(2);
  }
}

async function call(): Promise<string> {
  const headers = { connection: 'close' };
  const sent = request({ port: PORT, host: '127.0.0.1', method: 'POST', headers }).end();
  try {
    const [response]: IncomingMessage[] = await once(sent, 'response');
    response!.resume();
    await once(response!, 'end');
    return String(response!.statusCode);
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
