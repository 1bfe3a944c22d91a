// Attacks on the push server: each is answered by the protocol or ends its own connection, and others go on.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { app, startPushServer, type TestPushServer } from '../helpers/push-server.ts';

let push: TestPushServer;
beforeAll(async () => {
  push = await startPushServer();
});
afterAll(() => push.stop());

type Client = ReturnType<TestPushServer['raw']>;
const clients: Client[] = [];

async function connected(): Promise<Client> {
  const client = push.raw();
  clients.push(client);
  await client.next();
  return client;
}
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate();
  await vi.waitUntil(() => push.server.connections() === 0, { timeout: 20_000 });
});

const subscribe = (channel: unknown) => ({ event: 'pusher:subscribe', data: { channel } });

async function subscriber(channel: string): Promise<Client> {
  const client = await connected();
  client.send(subscribe(channel));
  expect(await client.next()).toMatchObject({ event: 'pusher_internal:subscription_succeeded', channel });
  return client;
}

async function expectAlive(client: Client): Promise<void> {
  client.send({ event: 'pusher:ping', data: {} });
  expect(await client.next()).toEqual({ event: 'pusher:pong', data: {} });
}

const HANDSHAKE = [
  `GET /app/${app.key}?protocol=7 HTTP/1.1`,
  'Host: a',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

/** A client that writes bytes of its own making. */
function bareSocket(): Socket {
  const socket = connect(push.port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

/** Greeted, and free to send any frame. */
async function shakenHands(): Promise<Socket> {
  const socket = bareSocket();
  socket.write(`${HANDSHAKE.join('\r\n')}\r\n\r\n`);
  let received = '';
  while (!received.includes('connection_established')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received += chunk.toString('latin1');
  }
  return socket;
}

/** A frame as clients send it, masked with zeros; `first` is its first byte: whether it is the last of a message, and its kind. */
function wireFrame(first: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(14);
  head[0] = first;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}
const [TEXT, BINARY, CONTINUED, LAST, PING] = [0x81, 0x82, 0x00, 0x80, 0x89];

/** The code of the close frame that the server ends with. */
async function closeCode(socket: Socket): Promise<number> {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    // Answers the close, as a client does.
    if (received.includes(0x88)) socket.end();
  });
  await once(socket, 'close');
  return received.readUInt16BE(received.lastIndexOf(0x88) + 2);
}

describe('a message that is no Pusher frame ends its own connection alone:', () => {
  const half = Buffer.alloc(60_000, 'x');
  const claims = (bytes: bigint) => {
    const head = wireFrame(TEXT, Buffer.alloc(0));
    head.writeBigUInt64BE(bytes, 2);
    return head;
  };
  test.for<[string, number, Buffer[]]>([
    ['one frame too large', 1009, [wireFrame(TEXT, Buffer.alloc(102_401, 'x'))]],
    ['a frame that only says how large it is', 1009, [claims(2n ** 40n)]],
    ['a frame of a length beyond all numbers', 1009, [claims(2n ** 63n - 1n)]],
    ['two fragments too large together', 1009, [wireFrame(0x01, half), wireFrame(CONTINUED, half)]],
    [
      'small fragments without end',
      1009,
      [
        wireFrame(0x01, half),
        ...Array.from({ length: 300 }, () => wireFrame(CONTINUED, half.subarray(0, 500))),
      ],
    ],
    ['a binary frame', 1003, [wireFrame(BINARY, Buffer.from('{"event":"pusher:ping"}'))]],
    ['an empty binary frame', 1003, [wireFrame(BINARY, Buffer.alloc(0))]],
    ['text that is not UTF-8', 1007, [wireFrame(TEXT, Buffer.from([0x22, 0xff, 0x22]))]],
    [
      'a lone surrogate in UTF-8, cut into fragments',
      1007,
      [wireFrame(0x01, Buffer.from([0xed])), wireFrame(LAST, Buffer.from([0xa0, 0x80]))],
    ],
    ['an end without a beginning', 1002, [wireFrame(LAST, Buffer.from('x'))]],
    ['a ping in fragments', 1002, [wireFrame(0x09, Buffer.alloc(0))]],
    ['a ping too long', 1002, [wireFrame(PING, Buffer.alloc(126))]],
    ['bits that nobody agreed on', 1002, [wireFrame(0xc1, Buffer.from('x'))]],
    ['a frame of unknown kind', 1002, [wireFrame(0x83, Buffer.from('x'))]],
  ])('%s', async ([, code, frames]) => {
    const other = await subscriber('c');
    const socket = await shakenHands();
    const closed = closeCode(socket);
    for (const bytes of frames) socket.write(bytes);
    expect(await closed).toBe(code);
    await expectAlive(other);
  });

  test('a frame without a mask', async () => {
    const socket = await shakenHands();
    const closed = closeCode(socket);
    socket.write(Buffer.from([TEXT, 2, 0x7b, 0x7d]));
    expect(await closed).toBe(1002);
  });

  test('fragments without content, as many as one likes, hold nobody up', async () => {
    const other = await subscriber('c');
    const socket = await shakenHands();
    const empty = wireFrame(CONTINUED, Buffer.alloc(0));
    socket.write(wireFrame(0x01, Buffer.alloc(0)));
    for (let batch = 0; batch < 20; batch++)
      socket.write(Buffer.concat(Array.from({ length: 1000 }, () => empty)));
    await expectAlive(other);
    expect(push.server.connections()).toBe(2);
  });
});

const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);

describe('a message of odd content is an error without code, and the connection goes on:', () => {
  test.for<[string, string | object]>([
    ['deep arrays', deep('[', ']', 50_000)],
    [
      'deep objects as data',
      `{"event":"pusher:subscribe","data":${deep('{"a":', '}', 15_000).replace('}', '1}')}}`,
    ],
    ['deep JSON in a string', { event: 'pusher:subscribe', data: deep('[', ']', 50_000) }],
    ['a list as channel', subscribe(['c'])],
    ['an object as channel', subscribe({ toString: 'c' })],
    ['an empty channel', subscribe('')],
    ['a channel of 201 characters', subscribe('c'.repeat(201))],
    ['a channel with a line break at its end', subscribe('c\n')],
    ['a channel with a NUL', subscribe('c\u0000')],
    ['a channel of letters that look alike', subscribe('с')],
    ['a lone surrogate as channel', '{"event":"pusher:subscribe","data":{"channel":"\\ud800"}}'],
    ['no name of an event', { event: '', data: {} }],
    ['an event of 201 characters', { event: 'e'.repeat(201) }],
    ['an event of the prototype', { event: '__proto__', data: {} }],
    ['an event that only the server sends', { event: 'pusher:error', data: { code: 4000 } }],
    [
      'an event of the server’s own',
      { event: 'pusher_internal:subscription_succeeded', channel: 'c', data: '{}' },
    ],
    ['the prototype as channel', '{"event":"pusher:subscribe","data":{"__proto__":{"channel":"c"}}}'],
    ['the prototype as event', '{"__proto__":{"event":"pusher:ping"}}'],
  ])('%s', async ([, sent]) => {
    const client = await connected();
    client.send(sent);
    expect(await client.next()).toMatchObject({ event: 'pusher:error', data: { code: null } });
    expect(push.server.channels().size).toBe(0);
    await expectAlive(client);
  });

  test('names of the prototype are channels like others', async () => {
    for (const channel of ['__proto__', 'constructor', 'hasOwnProperty']) {
      const client = await subscriber(channel);
      push.server.publish([channel], 'toString', '{}');
      expect(await client.next()).toEqual({ event: 'toString', channel, data: '{}' });
    }
  });
});

describe('storms', () => {
  test('of subscriptions are bounded, what is given back may be taken anew, and nothing is left of them', async () => {
    const client = await connected();
    for (let n = 0; n < 2000; n++) client.send(subscribe(`c${n}`));
    const answers = [];
    for (let n = 0; n < 2000; n++) answers.push((await client.next()).event);
    expect(answers.filter((event) => event === 'pusher_internal:subscription_succeeded')).toHaveLength(200);
    expect(push.server.channels().size).toBe(200);
    for (let n = 0; n < 2000; n++) {
      client.send({ event: 'pusher:unsubscribe', data: { channel: 'c0' } });
      client.send(subscribe('c0'));
      expect((await client.next()).event).toBe('pusher_internal:subscription_succeeded');
    }
    expect(push.server.channels().size).toBe(200);
    client.socket.terminate();
    await expect.poll(() => push.server.channels().size).toBe(0);
  });

  test('of leaving channels that one is not in change nothing', async () => {
    const [client, other] = [await connected(), await subscriber('c')];
    for (let n = 0; n < 1000; n++)
      client.send({ event: 'pusher:unsubscribe', data: { channel: n % 2 ? 'c' : `x${n}` } });
    await expectAlive(client);
    expect([...push.server.channels()]).toEqual([['c', 1]]);
    await expectAlive(other);
  });

  const FLOODS: [string, (client: Client) => void][] = [
    ['pings of the protocol', (client) => client.send({ event: 'pusher:ping', data: {} })],
    ['pings of WebSocket', ({ socket }) => socket.ping(randomBytes(125))],
    ['errors', (client) => client.send('{')],
  ];
  test.for(FLOODS)('of %s from one who does not read keep nobody else waiting', async ([, flood]) => {
    const [rude, other] = [await connected(), await connected()];
    rude.socket.pause();
    for (let n = 0; n < 5000; n++) flood(rude);
    await expectAlive(other);
    expect(push.server.connections()).toBeGreaterThan(0);
  });
});

describe('a handshake', () => {
  test.for<[number, string]>([
    [4001, '/app/key?protocol=7'],
    [4001, `/app/${app.key}x?protocol=7`],
    [4001, '/app/__proto__?protocol=7'],
    [4007, `/app/${app.key}?protocol=07`],
    [4007, `/app/${app.key}?protocol=7.0`],
    [4007, `/app/${app.key}?protocol=99999999999999999999`],
    [4007, `/app/${app.key}?protocol=3&protocol=7`],
    [4007, `/app/${app.key}?protocol=7&protocol=3`],
    [4007, `/app/${app.key}?protocol=7&protocol=7`],
    [4006, `/app/${app.key}?protocol=7&version=1&version=%00`],
    [4006, `/app/${app.key}?protocol=7&version=${'1'.repeat(65)}`],
  ])('is refused with %i at %s', async ([code, path]) => {
    const client = push.raw(path);
    clients.push(client);
    expect(await client.next()).toMatchObject({ event: 'pusher:error', data: { code } });
    expect(await client.closed).toBe(code);
  });

  test.for<[string, string, RegExp]>([
    ['another version of WebSocket', HANDSHAKE.join('\r\n').replace(': 13', ': 99'), /^HTTP\/1\.1 400 /],
    ['no key', HANDSHAKE.slice(0, 5).join('\r\n'), /^HTTP\/1\.1 400 /],
    ['a bad key', HANDSHAKE.join('\r\n').replace('AAAA', 'A'), /^HTTP\/1\.1 400 /],
    ['another method', HANDSHAKE.join('\r\n').replace('GET', 'POST'), /^HTTP\/1\.1 405|^HTTP\/1\.1 400 /],
  ])('with %s is told so and hung up on', async ([, head, answer]) => {
    const socket = bareSocket();
    socket.write(`${head}\r\n\r\n`);
    expect(await text(socket)).toMatch(answer);
  });

  test('that stays silent, or stops half way, takes no place', async () => {
    const silent = Array.from({ length: 50 }, bareSocket);
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    for (const socket of silent.slice(25)) socket.write(HANDSHAKE.join('\r\n'));
    expect(push.server.connections()).toBe(0);
    await expectAlive(await connected());
  });
});
