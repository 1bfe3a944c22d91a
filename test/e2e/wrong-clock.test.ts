// A replica on a machine whose clock is wrong: what it publishes is taken, and what others keep for a time is kept.
import { expect, it, vi } from 'vitest';
import { signIn, withToken } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { clockAhead } from '../helpers/preload.ts';
import { listen } from '../helpers/push-client.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { createMeeting, saveOnce } from '../helpers/steady-saves.ts';

const HOUR_MS = 3600_000;
const PATIENCE = { timeout: 20_000, interval: 20 };

async function replicas(aheadMs: number) {
  const env = await databaseEnvironment();
  const ahead = await startServerProcess({ ...env, ...clockAhead(aheadMs) });
  await ahead.until(/this process publishes the outbox/);
  const right = await serve(env);
  const token = await signIn(right.baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const meeting = await createMeeting(withToken(right.baseUrl, token), 'clock', 2);
  return { ahead, right, token, meeting };
}

// Push services refuse what is more than ten minutes off, and tokens end after a day.
it.each(byLength([25], [0.25, 25]))(
  'a leader %s hours ahead publishes to the clients of all replicas and says that its clock is wrong, takes tokens of the others, and forgets no attempt that may be sent again',
  async (hours) => {
    const { ahead, right, token, meeting } = await replicas(hours * HOUR_MS);
    expect(ahead.written.stdout).toContain("this machine's clock is not the database's");
    const received = await listen(right.baseUrl, '8', meeting.channels);
    const save = await saveOnce(meeting.lanes[0]!, withToken(ahead.baseUrl, token));
    await vi.waitFor(
      () => expect(received).toContainEqual(expect.objectContaining({ channel: save.channel })),
      PATIENCE,
    );

    const { path } = meeting.lanes[0]!.request(0);
    const record = (baseUrl: string, key: string, round: number) =>
      fetch(`${baseUrl}/api/v1${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ bib: '2', round, result: '6.21' }),
      });
    expect((await record(right.baseUrl, 'first', 1)).status).toBe(201);
    expect((await record(ahead.baseUrl, 'second', 2)).status).toBe(201);
    // Of a key that is still known another request is refused; one that was forgotten would take it.
    expect((await record(right.baseUrl, 'first', 3)).status).toBe(422);
    expect((await record(right.baseUrl, 'first', 1)).status).toBe(200);
  },
  60_000,
);
