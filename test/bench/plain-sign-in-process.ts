// The least that a stranger costs, as a process of its own: as many passwords hashed as the service would, by the thread and the
// queue that it does it with, and bodies that are too large not read, by a bare server that asks no database and notes nothing.
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHashQueue } from '../../src/accounts/hash-queue.ts';
import { createHashThread } from '../../src/accounts/hash-thread.ts';
import { startOf } from '../../src/threads.ts';

const BODY_MAX = 16_384;

const passwords = createHashThread({ log: console }, { startWorker: startOf('hash-worker') });
const inTurn = createHashQueue();

const server = createServer((request, response) => {
  const answer = (status: number) => void response.writeHead(status, { connection: 'close' }).end();
  if (Number(request.headers['content-length']) > BODY_MAX) {
    response.writeHead(413, { connection: 'close' }).end(() => request.destroy());
    return;
  }
  void text(request)
    .then((body) => inTurn('127.0.0.1', () => passwords.verify(null, body)))
    .then(
      () => answer(401),
      () => answer(429),
    );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Listening at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
