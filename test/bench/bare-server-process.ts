// The least that serves readers and strangers, as a process of its own: each read asks the database once and is answered with the
// same bytes; passwords are hashed by the thread and the queue of the service; bodies that are too large are not read. Nothing is
// noted, judged or counted, and there is no framework: what readers still notice is the machine's, and that of one event loop.
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'pg';
import { createHashQueue } from '../../src/accounts/hash-queue.ts';
import { createHashThread } from '../../src/accounts/hash-thread.ts';
import { startOf } from '../../src/threads.ts';

const BODY_MAX = 16_384;

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const page = Buffer.alloc(Number(process.env['PAGE_BYTES']), ' ');
const passwords = createHashThread({ log: console }, { startWorker: startOf('hash-worker') });
const inTurn = createHashQueue();

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const asked = {
      name: 'revision',
      text: 'select max(revision) from competitions where year = $1',
      values: [2026],
    };
    void pool.query(asked).then(() => response.setHeader('content-type', 'application/json').end(page));
    return;
  }
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
