// A stranger, in a process of their own: at a line of standard input sends everything at once, each request on a connection of
// its own, and prints how many answers of each status came. Who is hung up on before the body is sent counts as 'closed'.
import { once } from 'node:events';
import { request } from 'node:http';

/** `bodies`: what is sent with so many bytes of an array; `forms`: with these fields. */
const { base, bytes, bodies, forms } = JSON.parse(process.argv[2]);
const CHUNK = Buffer.from('["\\u0041"],'.repeat(6000));
const answers = {};

async function send({ path, method = 'POST', headers }, write) {
  const sent = request(base + path, { method, headers, agent: false });
  const answered = new Promise((resolve) => {
    sent.on('response', (response) => {
      resolve(response.statusCode);
      response.on('error', () => {}).resume();
    });
    sent.on('error', () => resolve('closed'));
  });
  const closed = new Promise((resolve) => sent.on('close', resolve));
  await write(sent).catch(() => {});
  const status = await answered;
  await closed;
  answers[status] = (answers[status] ?? 0) + 1;
}

async function writeBody(sent) {
  for (let left = bytes; left > 0 && !sent.destroyed; left -= CHUNK.length) {
    if (!sent.write(left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK)) await drained(sent);
  }
  sent.end();
}

const drained = (sent) =>
  new Promise((resolve) => {
    const go = () => {
      sent.off('drain', go).off('close', go);
      resolve();
    };
    sent.on('drain', go).on('close', go);
  });

const JSON_BODY = { 'content-type': 'application/json', 'content-length': bytes };

process.stdout.write('ready\n');
await once(process.stdin, 'data');
await Promise.all([
  ...bodies.map((path) => send({ path, headers: JSON_BODY }, writeBody)),
  ...forms.map(({ path, fields }) =>
    send({ path, headers: { 'content-type': 'application/x-www-form-urlencoded' } }, async (sent) => {
      sent.end(new URLSearchParams(fields).toString());
    }),
  ),
]);
process.stdout.write(`${JSON.stringify(answers)}\n`);
process.exit();
