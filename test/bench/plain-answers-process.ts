// The least that public reads cost, as a process of its own: answers that it is told beforehand, with their headers, from the
// memory of Node's own server. It asks nobody whether they still hold.
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

export type PlainAnswer = { path: string; headers: OutgoingHttpHeaders; base64: string };

const answers = new Map<string, { full: OutgoingHttpHeaders; bodiless: OutgoingHttpHeaders; body: Buffer }>();

const server = createServer(({ url, headers }, response) => {
  const answer = answers.get(url ?? '');
  if (!answer) response.writeHead(404).end();
  else if (headers['if-none-match'] === answer.full['etag']) response.writeHead(304, answer.bodiless).end();
  else response.writeHead(200, answer.full).end(answer.body);
});

const lines = createInterface(process.stdin);
lines.on('line', (line) => {
  const { path, headers, base64 } = JSON.parse(line) as PlainAnswer;
  // Of each connection, not of the answer.
  const { connection: _connection, 'keep-alive': _keepAlive, date: _date, ...full } = headers;
  const { 'content-length': _length, ...bodiless } = full;
  answers.set(path, { full, bodiless, body: Buffer.from(base64, 'base64') });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`Listening at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
});
