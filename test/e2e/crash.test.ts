import { expect, it, onTestFinished, vi } from 'vitest';
import { type FakePushService, startFakePushService } from '../helpers/fake-push-service.ts';
import { type ApiClient, get, type Reply, signedIn } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { LOSES_NOTHING } from '../helpers/loses-nothing.ts';
import { serve } from '../helpers/running-server.ts';
import {
  type Account,
  databaseEnvironment,
  makeAccount,
  type Server,
  startServerProcess,
} from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

const CLIENTS = 4;
const UPLOADS = byLength(15, 30);
const CRASHES = byLength(['only'], ['first', 'second']);
const PATIENCE = { timeout: 20_000, interval: 10 };
const HEATS = [1, 2, 3];
const MEETING = { full_name: 'Crash Meeting', slug: 'crash', country_id: 'GBR', date: '2026-07-18' };

type StoredUnit = { event_id: string; round: number; heat: number; channel: string };

async function pushService(): Promise<FakePushService> {
  const service = await startFakePushService();
  onTestFinished(() => service.close());
  return service;
}

const pushEnvironment = ({ port }: FakePushService) => ({
  PUSHER_APP_ID: 'app',
  PUSHER_KEY: 'key',
  PUSHER_SECRET: 'secret of the app',
  PUSHER_HOST: '127.0.0.1',
  PUSHER_PORT: String(port),
  PUSHER_TLS: 'false',
});

const racesOf = (round: number) =>
  HEATS.map((heat) => ({
    round,
    heat,
    heat_name: `Race ${round}.${heat}`,
    results: [{ bib: '1', performance: '10.00' }],
  }));

/** One client: each upload is a new round of three heats, so every upload has channels of its own. */
async function uploadUntilCut(
  send: (events: object[]) => Promise<Reply>,
  eventId: string,
  answered: string[],
) {
  for (let round = 1; ; round += 1) {
    const event = { event_id: eventId, event_code: '100', units: racesOf(round) };
    const reply = await send([event]).catch(() => undefined);
    if (!reply) return;
    expect(reply.status).toBe(200);
    answered.push(`${eventId} ${round}`);
  }
}

/** Several clients upload until the server is killed in the midst of it. Answered uploads are added to the list. */
async function crashUnderLoad(
  server: Server,
  account: Account,
  { path, crash, answered }: { path: string; crash: string; answered: string[] },
) {
  const enough = answered.length + UPLOADS;
  // All are signed in before one begins: the kill is for uploads.
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => signedIn(server.baseUrl, account)));
  const uploading = clients.map((api, index) =>
    uploadUntilCut((events) => api('POST', path, { events }), `E${index}.${crash}`, answered),
  );
  await vi.waitFor(() => expect(answered.length).toBeGreaterThan(enough), PATIENCE);
  await server.kill('SIGKILL');
  await Promise.all(uploading);
}

async function createMeeting(api: ApiClient): Promise<string> {
  const { id } = (await api('POST', '/competitions/', MEETING)).body;
  await api('PATCH', `/competitions/${id}/settings`, { push_notifications: true });
  return `/competitions/${id}`;
}

async function storedUnits(baseUrl: string): Promise<StoredUnit[]> {
  const { body } = await get(`${baseUrl}/x/2026/GBR/crash/json/`);
  return body.events.flatMap((event: { units: StoredUnit[] }) => event.units);
}

it(
  'a server killed under load has stored each upload whole or not at all, and pushes exactly what it has stored',
  LOSES_NOTHING,
  async () => {
    const service = await pushService();
    const env = { ...(await databaseEnvironment()), ...pushEnvironment(service) };
    const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
    const answered: string[] = [];
    let path: string | undefined;
    for (const crash of CRASHES) {
      const server = await startServerProcess(env);
      path ??= await createMeeting(await signedIn(server.baseUrl, account));
      await crashUnderLoad(server, account, { path, crash, answered });
    }
    const { baseUrl } = await serve(env);

    const units = await storedUnits(baseUrl);
    const uploads = new Set(units.map(({ event_id, round }) => `${event_id} ${round}`));
    expect(units).toHaveLength(uploads.size * HEATS.length);
    expect([...uploads]).toEqual(expect.arrayContaining(answered));

    await vi.waitFor(
      async () => expect(await runSql(env.DATABASE_URL, 'select id from outbox limit 1')).toEqual([]),
      PATIENCE,
    );
    const pushed = service.accepted.filter(({ name }) => name === 'unit').map(({ channel }) => channel);
    expect([...new Set(pushed)].toSorted()).toEqual(units.map(({ channel }) => channel).toSorted());
  },
);
