// Many bare push connections at once, each subscribed to one channel whose events are numbered from 0.
import { once } from 'node:events';
import { WebSocket } from 'ws';

export type Crowd = {
  sockets: WebSocket[];
  /** How many events each has received, in order. */
  received: number[];
  outOfOrder: () => number;
  /** Resolves when each has received so many. */
  all(count: number): Promise<void>;
  /** The codes with which they are closed. */
  closed: Promise<number[]>;
  leave(): void;
};

type Options = {
  port: number;
  key: string;
  channel: string;
  count: number;
  address?: string;
  /** Sees the beginning of each event as it came. */
  onEvent?: (text: string) => void;
};

const AT_ONCE = 100;

/** Connects and subscribes them all. `address` is where they come from, for a server that believes its proxy. */
export async function gather(options: Options): Promise<Crowd> {
  const { port, key, channel, count, address = '10.0.0.1', onEvent } = options;
  const url = `ws://127.0.0.1:${port}/app/${key}?protocol=7&client=js&version=8.6.0`;
  const sockets: WebSocket[] = [];
  const received = Array<number>(count).fill(0);
  let outOfOrder = 0;
  let check: (() => void) | undefined;
  const take = (index: number, text: string) => {
    const head = text.slice(0, 200);
    const number = Number(/\\"n\\":(\d+)/.exec(head)?.[1]);
    onEvent?.(head);
    if (number === received[index]) received[index] = number + 1;
    else outOfOrder += 1;
    check?.();
  };
  while (sockets.length < count) {
    const few = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, (_, offset) => {
      const socket = new WebSocket(url, { headers: { 'x-forwarded-for': address } });
      const index = sockets.length + offset;
      socket.on('error', () => undefined);
      return { socket, index };
    });
    sockets.push(...few.map(({ socket }) => socket));
    await Promise.all(few.map(({ socket, index }) => join(socket, channel, (text) => take(index, text))));
  }
  return {
    sockets,
    received,
    outOfOrder: () => outOfOrder,
    all: (wanted) =>
      new Promise((resolve) => {
        let behind = received.filter((number) => number < wanted).length;
        check = () => {
          // Counting a thousand for each of their messages would take longer than receiving it.
          behind -= 1;
          if (behind > 0) return;
          behind = received.filter((number) => number < wanted).length;
          if (behind === 0) resolve();
        };
        check();
      }),
    closed: Promise.all(sockets.map(closeCode)),
    leave: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}

async function join(socket: WebSocket, channel: string, take: (text: string) => void): Promise<void> {
  await once(socket, 'message');
  socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel } }));
  await once(socket, 'message');
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    if (!text.startsWith('{"event":"pusher')) take(text);
  });
}

async function closeCode(socket: WebSocket): Promise<number> {
  const [code]: number[] = await once(socket, 'close');
  return code ?? 0;
}
