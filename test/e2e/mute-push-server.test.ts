// A replica that lives, its heartbeat too, and takes no events: push goes on without it, and with it once it takes them again.
import { expect, it, onTestFinished, vi } from 'vitest';
import { delivered, overviewDeliveries, snapshotDeliveries } from '../helpers/deliveries.ts';
import { inMs, report } from '../helpers/figures.ts';
import { get, signIn, withToken } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { muteOnSignal } from '../helpers/preload.ts';
import { listen } from '../helpers/push-client.ts';
import { rawClient } from '../helpers/push-server.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { createMeeting, startSaving } from '../helpers/steady-saves.ts';

const PATIENCE = { timeout: 60_000, interval: 20 };
const AROUND = byLength(15, 200);

const moreThan = (items: unknown[], count: number) =>
  vi.waitFor(() => expect(items.length).toBeGreaterThan(count), PATIENCE);

it.each(byLength(['hangs'] as const, ['hangs', 'answers 500'] as const))(
  'where its publish API %s, the others’ clients wait seconds, its own are sent away, and all get everything after',
  async (manner) => {
    const env = { ...(await databaseEnvironment()), RATE_LIMIT_WRITE: '0' };
    const leader = await serve(env);
    await leader.until(/this process publishes the outbox/);
    const mute = await startServerProcess({ ...env, ...muteOnSignal(manner) });
    const token = await signIn(leader.baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
    const api = withToken(leader.baseUrl, token);
    const meeting = await createMeeting(api, 'mute', 6);
    const received = await listen(leader.baseUrl, '8', meeting.channels);
    const sentAway = await listen(mute.baseUrl, '8', meeting.channels);
    const saving = startSaving(meeting, { perSecond: byLength(15, 25), send: api });
    const { saves } = saving;
    await moreThan(saves, AROUND);

    process.kill(mute.pid, 'SIGWINCH');
    const mutedMs = performance.now();
    await leader.until(/lives and takes no events/);
    const givenUpMs = performance.now() - mutedMs;
    await delivered(meeting, saves.slice(), received);
    const caughtUpMs = performance.now() - mutedMs;
    await mute.until(/clients are sent to others/);
    const left = sentAway.length;
    await moreThan(saves, saves.length + AROUND);
    // Nobody is let in who would miss events.
    const { key, port } = (await get(`${mute.baseUrl}/api/v1/push`)).body;
    const refused = rawClient(Number(port), `/app/${key}?protocol=7&client=js&version=8.6.0`);
    onTestFinished(() => refused.socket.terminate());
    expect(await refused.next()).toMatchObject({ event: 'pusher:error', data: { code: 4100 } });
    expect(sentAway).toHaveLength(left);

    process.kill(mute.pid, 'SIGWINCH');
    const unmutedMs = performance.now();
    await moreThan(sentAway, left);
    const backMs = performance.now() - unmutedMs;
    const since = saves.length;
    await moreThan(saves, since + AROUND);
    await saving.finish();
    await delivered(meeting, saves, received);
    await delivered(meeting, saves.slice(since), sentAway);
    report({
      saves: saves.length,
      'given up after': inMs(givenUpMs),
      'the others caught up after': inMs(caughtUpMs),
      'its clients back after': inMs(backMs),
    });
    expect(overviewDeliveries(meeting, saves, received)).toMatchObject({ missing: [], outOfOrder: 0 });
    expect(snapshotDeliveries(meeting, received).outOfOrder).toBe(0);
    expect(caughtUpMs).toBeLessThan(30_000);
  },
  120_000,
);
