import { afterEach, describe, expect, test, vi } from 'vitest';
import { app, MAX_EVENT_BYTES, startPushServer, type TestPushServer } from '../helpers/push-server.ts';

const running: TestPushServer[] = [];
const start: typeof startPushServer = async (options) => {
  const started = await startPushServer(options);
  running.push(started);
  return started;
};
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 10 });

const connected = async () => {
  const push = await start();
  const client = push.raw();
  await client.next();
  return { push, client };
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

describe.each(['8', '7'] as const)('the real client, major version %s', (version) => {
  test('receives the events of the channels it is subscribed to, byte for byte', async () => {
    const push = await start();
    const client = push.client(version);
    const received: unknown[] = [];
    const subscribed = vi.fn<() => void>();
    const channel = client.subscribe('x-2026-GBR-open-overview');
    channel.bind('pusher:subscription_succeeded', subscribed);
    channel.bind_global((event: string, data: unknown) => received.push([event, data]));
    await eventually(() => expect(subscribed).toHaveBeenCalledOnce());
    received.length = 0;
    await push.library.trigger(['x-2026-GBR-open-overview', 'another'], 'latest_attempt', {
      bib: '1',
      name: 'Zoë',
    });
    await push.library.triggerBatch([
      { channel: 'another', name: 'unit', data: '{}' },
      { channel: 'x-2026-GBR-open-overview', name: 'results_arrived', data: '{"n": 2}' },
      { channel: 'x-2026-GBR-open-overview', name: 'text', data: 'no JSON' },
    ]);
    await eventually(() => expect(received).toHaveLength(3));
    expect(received).toEqual([
      ['latest_attempt', { bib: '1', name: 'Zoë' }],
      ['results_arrived', { n: 2 }],
      ['text', 'no JSON'],
    ]);
  });

  test('hears nothing more after unsubscribing, nor what it is excepted from', async () => {
    const push = await start();
    const client = push.client(version);
    const received = vi.fn<(data: unknown) => void>();
    client.subscribe('kept').bind('e', received);
    client.subscribe('left').bind('e', received);
    await eventually(() => expect([...push.server.channels().keys()]).toEqual(['kept', 'left']));
    client.unsubscribe('left');
    await eventually(() => expect([...push.server.channels().keys()]).toEqual(['kept']));
    await push.library.trigger('left', 'e', 1);
    await push.library.trigger('kept', 'e', 2, { socket_id: client.connection.socket_id });
    await push.library.trigger('kept', 'e', 3);
    await eventually(() => expect(received).toHaveBeenCalled());
    expect(received.mock.calls.map(([data]) => data)).toEqual([3]);
  });

  test('comes back by itself after the server restarted on the same port, and is subscribed again', async () => {
    const push = await start();
    const client = push.client(version);
    const subscribed = vi.fn<() => void>();
    client.subscribe('c').bind('pusher:subscription_succeeded', subscribed);
    await eventually(() => expect(subscribed).toHaveBeenCalledTimes(1));
    await push.server.close();
    expect(push.server.connections()).toBe(0);
    push.reopen();
    await eventually(() => expect(subscribed).toHaveBeenCalledTimes(2));
    expect(client.connection.state).toBe('connected');
  });

  test('comes back by itself when it is sent away to read what it missed', async () => {
    const push = await start();
    const client = push.client(version);
    const subscribed = vi.fn<() => void>();
    client.subscribe('c').bind('pusher:subscription_succeeded', subscribed);
    await eventually(() => expect(subscribed).toHaveBeenCalledTimes(1));
    await push.server.sendAway();
    await eventually(() => expect(subscribed).toHaveBeenCalledTimes(2));
  });
});

test('the real client is told that private channels do not exist here', async () => {
  const push = await start();
  const client = push.client('8');
  const error = vi.fn<(error: unknown) => void>();
  client.config.channelAuthorizer = (_params, callback) => callback(null, { auth: 'key:signature' });
  client.subscribe('private-c').bind('pusher:subscription_error', error);
  await eventually(() => expect(error).toHaveBeenCalled());
  expect(error.mock.calls[0]?.[0]).toMatchObject({ type: 'AuthError', status: 401 });
});

describe('a connection', () => {
  test('is greeted with a socket id and the activity timeout, as a JSON string', async () => {
    const push = await start();
    const client = push.raw();
    const { event, data } = await client.next();
    expect(event).toBe('pusher:connection_established');
    expect(JSON.parse(String(data))).toEqual({
      socket_id: expect.stringMatching(/^\d+\.\d+$/),
      activity_timeout: 120,
    });
    expect(push.server.connections()).toBe(1);
  });

  test.each([
    [4001, '/app/wrong-key?protocol=7'],
    [4006, `/app/${app.key}?protocol=7&version=%00`],
    [4007, `/app/${app.key}?protocol=3`],
    [4007, `/app/${app.key}?protocol=8`],
    [4007, `/app/${app.key}?protocol=seven`],
    [4008, `/app/${app.key}`],
    [4008, `/app/${app.key}?protocol=`],
  ])('is refused with code %i at %s', async (code, path) => {
    const push = await start();
    const client = push.raw(path);
    expect(await client.next()).toMatchObject({ event: 'pusher:error', data: { code } });
    expect(await client.closed).toBe(code);
    expect(push.server.connections()).toBe(0);
  });

  test.each([4, 5, 6, 7])(
    'is accepted with protocol %i, on a path with doubled and trailing slashes',
    async (protocol) => {
      const push = await start();
      const client = push.raw(`//app//${app.key}/?protocol=${protocol}`);
      expect(await client.next()).toMatchObject({ event: 'pusher:connection_established' });
    },
  );

  test('is refused with 4100 above either limit, and accepted when others have gone', async () => {
    for (const limit of [{ maxConnections: 1 }, { maxConnectionsPerAddress: 1 }]) {
      const push = await start(limit);
      const first = push.raw();
      await first.next();
      const second = push.raw();
      expect(await second.next()).toMatchObject({ event: 'pusher:error', data: { code: 4100 } });
      expect(await second.closed).toBe(4100);
      first.socket.close();
      await first.closed;
      await eventually(() => expect(push.server.connections()).toBe(0));
      expect(await push.raw().next()).toMatchObject({ event: 'pusher:connection_established' });
    }
  });

  test('is pinged when it is silent, goes on when it answers and ends with 4201 when it does not', async () => {
    const push = await start({ idleness: { activityMs: 30, pongMs: 300 } });
    const lively = push.raw();
    lively.socket.on('message', () => lively.send({ event: 'pusher:pong', data: {} }));
    const silent = push.raw();
    expect(await silent.next()).toMatchObject({ event: 'pusher:connection_established' });
    expect(await silent.next()).toEqual({ event: 'pusher:ping', data: {} });
    expect(await silent.next()).toMatchObject({ event: 'pusher:error', data: { code: 4201 } });
    expect(await silent.closed).toBe(4201);
    expect(lively.socket.readyState).toBe(lively.socket.OPEN);
  });

  test('is told to come back while nothing is published to the server yet', async () => {
    let accepting = false;
    const push = await start({ accepting: () => accepting });
    expect(await push.raw().closed).toBe(4100);
    accepting = true;
    expect(await push.raw().next()).toMatchObject({ event: 'pusher:connection_established' });
  });

  test('is told to come back when the server closes', async () => {
    const push = await start();
    const client = push.raw();
    await client.next();
    await push.server.close();
    expect(await client.next()).toMatchObject({ event: 'pusher:error', data: { code: 4100 } });
    expect(await client.closed).toBe(4100);
  });

  test('that does not read is cut off, and others are not kept waiting', async () => {
    const push = await start();
    const [slow, quick] = [push.raw(), push.raw()];
    for (const client of [slow, quick]) {
      await client.next();
      client.send({ event: 'pusher:subscribe', data: { channel: 'c' } });
      await client.next();
    }
    slow.socket.pause();
    const data = 'x'.repeat(MAX_EVENT_BYTES);
    let sent = 0;
    while (push.server.connections() === 2) {
      push.server.publish(['c'], 'e', data);
      sent += 1;
      await quick.next();
    }
    push.server.publish(['c'], 'last', data);
    expect(await quick.next()).toMatchObject({ event: 'last' });
    expect(sent).toBeGreaterThan(100);
    slow.socket.resume();
    expect(await slow.closed).toBe(1006);
  });
});

describe('a frame', () => {
  test('to subscribe is answered each time, and events come once', async () => {
    const { push, client } = await connected();
    for (const data of [{ auth: '', channel: 'c' }, { channel: 'c' }, '{"channel":"c"}']) {
      client.send({ event: 'pusher:subscribe', data });
      expect(await client.next()).toEqual({
        event: 'pusher_internal:subscription_succeeded',
        channel: 'c',
        data: '{}',
      });
    }
    push.server.publish(['c', 'd'], 'e', '{"a": 1}');
    client.send({ event: 'pusher:ping', data: {} });
    expect(await client.next()).toEqual({ event: 'e', channel: 'c', data: '{"a": 1}' });
    expect(await client.next()).toEqual({ event: 'pusher:pong', data: {} });
  });

  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['without event', { data: {} }],
    ['with an unknown event', { event: 'pusher:signin', data: {} }],
    ['without channel', { event: 'pusher:subscribe', data: {} }],
    ['without data', { event: 'pusher:unsubscribe' }],
    ['with a bad channel name', { event: 'pusher:subscribe', data: { channel: 'a b' } }],
    [
      'with a channel name of 201 characters',
      { event: 'pusher:subscribe', data: { channel: 'c'.repeat(201) } },
    ],
  ])('%s is an error without code, and the connection goes on', async (_what, frame) => {
    const { client } = await connected();
    client.send(frame);
    expect(await client.next()).toMatchObject({ event: 'pusher:error', data: { code: null } });
    client.send({ event: 'pusher:ping', data: {} });
    expect(await client.next()).toMatchObject({ event: 'pusher:pong' });
  });

  test.each(['private-c', 'presence-c'])(
    'to subscribe to %s is refused for that channel alone',
    async (channel) => {
      const { client } = await connected();
      client.send({ event: 'pusher:subscribe', data: { channel, auth: 'x' } });
      expect(await client.next()).toMatchObject({
        event: 'pusher:subscription_error',
        channel,
        data: { type: 'AuthError', status: 401 },
      });
      expect(client.socket.readyState).toBe(client.socket.OPEN);
    },
  );

  test('from client to client is refused with 4301, and the connection goes on', async () => {
    const { client } = await connected();
    client.send({ event: 'client-typing', channel: 'c', data: {} });
    expect(await client.next()).toMatchObject({ event: 'pusher:error', data: { code: 4301 } });
    client.send({ event: 'pusher:ping', data: {} });
    expect(await client.next()).toMatchObject({ event: 'pusher:pong' });
  });

  test('that is binary or too long ends the connection', async () => {
    const { client } = await connected();
    client.socket.send(Buffer.from('{}'), { binary: true });
    expect(await client.closed).toBe(1003);
    const other = await connected();
    other.client.send('x'.repeat(100 * 1024 + 1));
    expect(await other.client.closed).toBe(1009);
  });

  test('to subscribe beyond the limit of a connection is refused for that channel', async () => {
    const { client } = await connected();
    for (let n = 0; n <= 200; n += 1) client.send({ event: 'pusher:subscribe', data: { channel: `c${n}` } });
    for (let n = 0; n < 200; n += 1) {
      expect((await client.next()).event).toBe('pusher_internal:subscription_succeeded');
    }
    expect(await client.next()).toMatchObject({ event: 'pusher:subscription_error', channel: 'c200' });
  });

  test('to subscribe beyond the limit of an address is refused, on whichever connection', async () => {
    const push = await start({ maxConnectionsPerAddress: 25 });
    const clients = await Promise.all(
      [1, 2].map(async () => {
        const client = push.raw();
        await client.next();
        return client;
      }),
    );
    for (const client of clients)
      for (let n = 0; n < 126; n += 1) client.send({ event: 'pusher:subscribe', data: { channel: `c${n}` } });
    const answers = await Promise.all(
      clients.flatMap((client) => Array.from({ length: 126 }, () => client.next())),
    );
    const refused = answers.filter(({ event }) => event === 'pusher:subscription_error');
    expect(refused.map(({ data }) => data)).toEqual(
      [1, 2].map(() => expect.objectContaining({ status: 429 })),
    );
  });
});

describe('the port shared with the API', () => {
  test('answers a WebSocket anywhere else with 404', async () => {
    const push = await start();
    for (const path of ['/', '/app', '/app/a/b', '/plain', '/%']) {
      const client = push.raw(path);
      const status = new Promise((resolve) =>
        client.socket.on('unexpected-response', (_request, response) => resolve(response.statusCode)),
      );
      expect(await status).toBe(404);
    }
  });

  test('goes on answering clients that offer HTTP/2 with each request', async () => {
    const push = await start();
    const answers = await push.offerHttp2(['/plain', '/plain', '/unknown']);
    expect(answers).toEqual([200, 200, 404]);
  });
});
