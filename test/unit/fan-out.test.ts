import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFanOut } from '../../src/push/fan-out.ts';
import type { OutgoingEvent, Outcome } from '../../src/push/publisher.ts';

const OK: Outcome = { kind: 'ok' };
const AWAY: Outcome = { kind: 'temporary', error: 'connect ECONNREFUSED', retryAfterMs: undefined };
const REJECTED: Outcome = { kind: 'rejected', error: 'HTTP 413', status: 413 };

const batch = (...ids: number[]): OutgoingEvent[] =>
  ids.map((id) => ({ id, channel: 'c', event: 'unit', data: `${id}` }));

type FakeServer = { got: string[]; answer: Outcome; alive: boolean; open: number; takesMs?: number };

/** Servers by name; those in the table are on the list. */
function world(...names: string[]) {
  return worldOf(names);
}

function worldOf(names: string[], patienceMs?: number) {
  const warnings: string[] = [];
  const fakes = new Map<string, FakeServer>();
  const listed = new Set(names);
  const server = (name: string) => {
    const present = fakes.get(name) ?? { got: [], answer: OK, alive: true, open: 0 };
    fakes.set(name, present);
    return present;
  };
  const list = { readable: true };
  const givenUp = new Set<string>();
  const servers = {
    addresses: async () => {
      if (!list.readable) throw new Error('no connection');
      return [...listed];
    },
    sortOut: async (failing: string[]) => {
      const removed = failing.filter((name) => listed.has(name) && !server(name).alive);
      for (const name of removed) listed.delete(name);
      return { removed, left: failing.filter((name) => listed.has(name)) };
    },
    giveUp: async (name: string) => {
      listed.delete(name);
      givenUp.add(name);
    },
    givenUp: async () => [...givenUp],
    takeBack: async (name: string) => {
      givenUp.delete(name);
      listed.add(name);
    },
  };
  const open = (name: string) => {
    const fake = server(name);
    fake.open += 1;
    return {
      publish: async (events: OutgoingEvent[]) => {
        if (fake.takesMs !== undefined) vi.advanceTimersByTime(fake.takesMs);
        if (fake.answer.kind === 'ok') fake.got.push(...events.map(({ data }) => data));
        return fake.answer;
      },
      close: () => void (fake.open -= 1),
    };
  };
  const clock = { now: new Date('2026-06-01T12:00:00.000Z') };
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) });
  const publisher = createFanOut({
    servers,
    open,
    now: () => clock.now,
    log,
    ...(patienceMs !== undefined && { patienceMs }),
  });
  return { publisher, server, listed, list, warnings, givenUp, clock };
}

it('gives every batch to every server once', async () => {
  const { publisher, server } = world('a', 'b');
  expect(await publisher.publish(batch(1, 2))).toEqual(OK);
  expect(await publisher.publish(batch(3))).toEqual(OK);
  expect(server('a').got).toEqual(['1', '2', '3']);
  expect(server('b').got).toEqual(['1', '2', '3']);
});

it('waits for a server that is alive, and does not repeat to those that have taken the events', async () => {
  const { publisher, server } = world('a', 'b');
  server('b').answer = AWAY;
  const held = await publisher.publish(batch(2, 3));
  expect(held).toEqual({ ...AWAY, error: 'b: connect ECONNREFUSED' });
  // The next try may hold others beside them: an older one that was committed late, and a new one.
  expect(await publisher.publish(batch(1, 2, 3))).toMatchObject({ kind: 'temporary' });
  server('b').answer = OK;
  expect(await publisher.publish(batch(1, 2, 3, 4))).toEqual(OK);
  expect(server('a').got).toEqual(['2', '3', '1', '4']);
  expect(server('b').got).toEqual(['1', '2', '3', '4']);
});

it('goes on without a server that neither answers nor shows life, and says so once', async () => {
  const { publisher, server, warnings } = world('a', 'b');
  Object.assign(server('b'), { answer: AWAY, alive: false });
  expect(await publisher.publish(batch(1))).toEqual(OK);
  expect(await publisher.publish(batch(2))).toEqual(OK);
  expect(server('a').got).toEqual(['1', '2']);
  expect(server('b').open).toBe(0);
  expect(warnings).toHaveLength(1);
});

it('does not wait for a server that has signed off', async () => {
  const { publisher, server, listed, warnings } = world('a', 'b');
  server('b').answer = AWAY;
  expect(await publisher.publish(batch(1))).toMatchObject({ kind: 'temporary' });
  listed.delete('b');
  expect(await publisher.publish(batch(1))).toEqual(OK);
  expect(server('a').got).toEqual(['1']);
  expect(warnings).toEqual([]);
});

it('publishes to a server that takes events even if its heartbeat is late', async () => {
  const { publisher, server } = world('a');
  server('a').alive = false;
  expect(await publisher.publish(batch(1))).toEqual(OK);
  expect(server('a').got).toEqual(['1']);
});

it('includes a server from the batch on that follows its arrival', async () => {
  const { publisher, server, listed } = world('a');
  await publisher.publish(batch(1));
  listed.add('b');
  expect(await publisher.publish(batch(2))).toEqual(OK);
  expect(server('b').got).toEqual(['2']);
});

it('passes a rejection on only when no living server may still take the event', async () => {
  const { publisher, server } = world('a', 'b', 'c');
  server('b').answer = REJECTED;
  server('c').answer = AWAY;
  expect(await publisher.publish(batch(1, 2))).toMatchObject({ kind: 'temporary' });
  server('c').answer = OK;
  expect(await publisher.publish(batch(1, 2))).toEqual(REJECTED);
  server('b').answer = OK;
  // What is published one by one, or in a smaller form, after a rejection.
  expect(await publisher.publish(batch(1))).toEqual(OK);
  expect(await publisher.publish(batch(2))).toEqual(OK);
  for (const name of ['a', 'b', 'c']) expect(server(name).got).toEqual(['1', '2']);
});

it('waits when nobody is on the list or it cannot be read', async () => {
  const { publisher, server, listed, list } = world('a');
  await publisher.publish(batch(1));
  list.readable = false;
  expect(await publisher.publish(batch(2))).toMatchObject({
    kind: 'temporary',
    error: expect.stringContaining('no connection'),
  });
  list.readable = true;
  expect(await publisher.publish(batch(2))).toEqual(OK);
  listed.clear();
  expect(await publisher.publish(batch(3))).toMatchObject({ kind: 'temporary' });
  listed.add('a');
  expect(await publisher.publish(batch(3))).toEqual(OK);
  expect(server('a').got.filter((data) => data === '2')).toHaveLength(1);
});

it('passes on the longest wait that was asked for', async () => {
  const { publisher, server } = world('a', 'b');
  server('a').answer = { ...AWAY, retryAfterMs: 10 };
  server('b').answer = { ...AWAY, retryAfterMs: 700 };
  expect(await publisher.publish(batch(1))).toMatchObject({ retryAfterMs: 700 });
});

it('closes what it opened', async () => {
  const { publisher, server } = world('a', 'b');
  await publisher.publish(batch(1));
  expect([server('a').open, server('b').open]).toEqual([1, 1]);
  publisher.close();
  expect([server('a').open, server('b').open]).toEqual([0, 0]);
});

it('goes on without a server that lives and takes nothing, and takes it back once it takes an empty batch', async () => {
  const { publisher, server, givenUp } = worldOf(['a', 'b'], 0);
  server('b').answer = AWAY;
  expect(await publisher.publish(batch(1))).toEqual(OK);
  expect([...givenUp]).toEqual(['b']);
  expect(await publisher.publish(batch(2))).toEqual(OK);
  await publisher.lookAfter?.();
  expect([...givenUp]).toEqual(['b']);
  server('b').answer = OK;
  await publisher.lookAfter?.();
  expect([...givenUp]).toEqual([]);
  expect(await publisher.publish(batch(3))).toEqual(OK);
  expect(server('a').got).toEqual(['1', '2', '3']);
  expect(server('b').got).toEqual(['3']);
});

it('tells of a server that takes nothing once, once a minute, and when it takes an event again', async () => {
  const { publisher, server, warnings, clock } = worldOf(['a', 'b'], 0);
  server('b').answer = AWAY;
  await publisher.publish(batch(1));
  for (let seconds = 0; seconds < 130; seconds += 2) {
    clock.now = new Date(clock.now.getTime() + 2000);
    // Takes an empty batch now and then, and no event.
    server('b').answer = seconds % 50 === 0 ? OK : AWAY;
    await publisher.lookAfter?.();
    server('b').answer = AWAY;
    await publisher.publish(batch(2 + seconds));
  }
  server('b').answer = OK;
  await publisher.lookAfter?.();
  await publisher.publish(batch(1000));
  const told = warnings.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(told.map(({ msg, address, seconds }) => [msg, address, seconds])).toEqual([
    ['a push server lives and takes no events; they go out without it', 'b', undefined],
    ['a push server still takes no events; they go out without it', 'b', 60],
    ['a push server still takes no events; they go out without it', 'b', 120],
    ['a push server takes events again', 'b', 130],
  ]);
});

it('waits for a server within its patience, and not again for one that was taken back too early', async () => {
  const { publisher, server, givenUp, listed } = worldOf(['a', 'b'], 200);
  server('b').answer = AWAY;
  expect(await publisher.publish(batch(1))).toMatchObject({ kind: 'temporary' });
  await vi.waitFor(async () => expect(await publisher.publish(batch(1))).toEqual(OK), 5000);
  expect([...givenUp]).toEqual(['b']);
  server('b').answer = OK;
  await publisher.lookAfter?.();
  server('b').answer = AWAY;
  expect([...listed]).toEqual(['a', 'b']);
  expect(await publisher.publish(batch(2))).toEqual(OK);
  expect([...givenUp]).toEqual(['b']);
});

it('gives nobody up when its lease has ended meanwhile: it may have been frozen itself', async () => {
  const { publisher, server, givenUp } = worldOf(['a', 'b'], 0);
  server('b').answer = AWAY;
  const lease = { isOver: () => true, endsAt: () => new Date() };
  expect(await publisher.publish(batch(1), lease)).toMatchObject({ kind: 'temporary' });
  expect([...givenUp]).toEqual([]);
});

it('offers more at once while all servers are quick, and less to one that is slow or fails', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { publisher, server } = world('a', 'b');
  let id = 0;
  const offer = async () => {
    const count = publisher.eventsMax!();
    expect(await publisher.publish(batch(...Array.from({ length: count }, () => (id += 1))))).toMatchObject({
      kind: server('b').answer.kind,
    });
    return count;
  };
  const sizes: number[] = [];
  for (let time = 0; time < 6; time += 1) sizes.push(await offer());
  // What does not fill a batch says nothing about a larger one.
  await publisher.publish(batch((id += 1)));
  server('b').takesMs = 550;
  for (let time = 0; time < 2; time += 1) sizes.push(await offer());
  server('b').answer = AWAY;
  sizes.push(await offer(), publisher.eventsMax!());
  expect(sizes).toEqual([10, 20, 40, 80, 100, 100, 100, 50, 25, 10]);
});
