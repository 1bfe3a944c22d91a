// Many push clients that each follow one unit: they connect again by themselves, read what they missed, and keep when they had what.
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { get } from './http-client.ts';

export type Seat = { channel: string; jsonPath: string };
/** A state of the unit, higher than all before it, and how it came. */
export type Sight = { revision: number; atMs: number; by: 'push' | 'read' };
export type Subscriber = Seat & {
  sights: Sight[];
  /** Events that were no news: at least once may be twice. */
  repeated: number;
  /** How often the connection was lost. */
  losses: number;
};

type Follower = Subscriber & { url: string; baseUrl: string; edgeMs: number; subscribed: () => void };

const AT_ONCE = 50;
// As pusher-js tries again.
const RETRY_MS = 1000;

/** Resolves when all are subscribed, spread evenly over the units. */
export async function gatherAudience(baseUrl: string, seats: Seat[], count: number): Promise<Subscriber[]> {
  const { key, host, port, edge_cache_seconds: edge } = (await get(`${baseUrl}/api/v1/push`)).body;
  const url = `ws://${host}:${port}/app/${key}?protocol=7&client=js&version=8.6.0`;
  const state = { over: false };
  const sockets = new Set<WebSocket>();
  onTestFinished(() => {
    state.over = true;
    for (const socket of sockets) socket.terminate();
  });
  // A copy in a shared cache may be older than the subscription for so long.
  const edgeMs = edge ? (2 * edge + 1) * 1000 : 0;
  const subscribers: Subscriber[] = [];
  while (subscribers.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - subscribers.length) }, async (_, offset) => {
      const seat = seats[(subscribers.length + offset) % seats.length]!;
      return new Promise<Subscriber>((resolve) => {
        const follower: Follower = {
          ...seat,
          sights: [],
          repeated: 0,
          losses: 0,
          url,
          baseUrl,
          edgeMs,
          subscribed: () => resolve(follower),
        };
        void follow(follower, sockets, state);
      });
    });
    subscribers.push(...(await Promise.all(some)));
  }
  return subscribers;
}

async function follow(follower: Follower, sockets: Set<WebSocket>, state: { over: boolean }): Promise<void> {
  for (; !state.over; follower.losses += 1) {
    const socket = new WebSocket(follower.url);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => hear(follower, socket, data.toString()));
    // Not once(): a connection that is refused says so before it closes.
    await new Promise((resolve) => socket.on('close', resolve));
    sockets.delete(socket);
    await sleep(RETRY_MS);
  }
}

function hear(follower: Follower, socket: WebSocket, text: string): void {
  if (!text.startsWith('{"event":"pusher')) return see(follower, revisionIn(text), 'push');
  if (text.startsWith('{"event":"pusher:connection_established'))
    socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel: follower.channel } }));
  if (text.startsWith('{"event":"pusher:ping'))
    socket.send(JSON.stringify({ event: 'pusher:pong', data: {} }));
  if (text.startsWith('{"event":"pusher_internal:subscription_succeeded')) void catchUp(follower);
}

// Parsing each of hundreds of thousands of units would take longer than all else here.
const revisionIn = (text: string): number => Number(/\\"revision\\":(\d+)/.exec(text)?.[1] ?? 0);

function see(follower: Follower, revision: number, by: Sight['by']): void {
  if (revision > (follower.sights.at(-1)?.revision ?? 0))
    follower.sights.push({ revision, atMs: performance.now(), by });
  else if (by === 'push') follower.repeated += 1;
}

/** As the README tells whoever writes a widget. A read that is refused is made again. */
async function catchUp(follower: Follower): Promise<void> {
  await read(follower);
  follower.subscribed();
  if (follower.edgeMs === 0) return;
  await sleep(follower.edgeMs);
  await read(follower);
}

async function read(follower: Follower): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const answer = await get(follower.baseUrl + follower.jsonPath).catch(() => undefined);
    if (answer?.status === 200) return see(follower, answer.body.revision, 'read');
    if (tries === 20) return;
    await sleep(RETRY_MS);
  }
}
