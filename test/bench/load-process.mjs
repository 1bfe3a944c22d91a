// Sends on each connection its requests in turn, one after the other and again and again, and prints how many answers of each
// status came. Bodies are counted, not parsed: a client that looks at every byte is slower than what it measures.
import { once } from 'node:events';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';

/** `connections`: for each the requests as they go over the wire. */
const { host, port, seconds, connections } = await json(process.stdin);
const END_OF_HEAD = '\r\n\r\n';
const answers = {};

/** @returns the status of an answer and how long it is altogether; undefined while its head is not complete */
function measured(bytes) {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const head = bytes.latin1Slice(0, end + 2);
  const status = head.slice(9, 12);
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
  if (length === undefined && status !== '304') throw new Error(`An answer of unknown length: ${head}`);
  return { status, bytes: end + END_OF_HEAD.length + (status === '304' ? 0 : Number(length)) };
}

async function ask(requests) {
  const socket = connect(port, host);
  await once(socket, 'connect');
  let sent = 0;
  const send = () => socket.write(requests[sent++ % requests.length]);
  socket.setNoDelay(true);
  send();
  let head = Buffer.alloc(0);
  let answer;
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
    if (!answer) {
      head = head.length ? Buffer.concat([head, chunk]) : chunk;
      answer = measured(head);
    }
    if (!answer || received < answer.bytes) return;
    answers[answer.status] = (answers[answer.status] ?? 0) + 1;
    [head, answer, received] = [Buffer.alloc(0), undefined, 0];
    send();
  });
  let over = false;
  setTimeout(() => {
    over = true;
    socket.destroy();
  }, seconds * 1000);
  await once(socket, 'close');
  if (!over) throw new Error('The server closed a connection');
}

await Promise.all(connections.map(ask));
process.stdout.write(JSON.stringify(answers));
