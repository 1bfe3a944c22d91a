// The embedded Postgres killed under a running server: saves go on without a restart.
import { createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeAccount, startServerProcess } from '../helpers/server.ts';
import { embeddedUrl, postmasterPid, usedFolder } from '../helpers/embedded-process.ts';
import { get, signedIn } from '../helpers/http-client.ts';
import { createMeeting, saveOnce } from '../helpers/steady-saves.ts';

async function world() {
  const folder = await usedFolder();
  const server = await startServerProcess({ DATA_DIR: folder });
  const account = await makeAccount(await embeddedUrl(folder), 'ADMIN_GBR');
  const api = await signedIn(server.baseUrl, account);
  const meeting = await createMeeting(api, 'killed', 4);
  return { folder, server, api, meeting };
}

/** Saves until one is answered with success; other answers have to be 503. */
async function saveAgain({ api, meeting }: Awaited<ReturnType<typeof world>>): Promise<void> {
  await vi.waitFor(
    () =>
      saveOnce(meeting.lanes[0]!, async (method, path, body) => {
        const reply = await api(method, path, body);
        const again = reply.status === 503 && Number(reply.headers['retry-after']) > 0;
        expect([200, 201, again && 503]).toContain(reply.status);
        return reply;
      }),
    { timeout: 30_000, interval: 100 },
  );
}

async function killPostgres(folder: string): Promise<number> {
  const pid = (await postmasterPid(folder))!;
  process.kill(pid, 'SIGKILL');
  return pid;
}

async function takePort(port: number): Promise<void> {
  const thief = createServer((socket) => socket.destroy());
  onTestFinished(() => void thief.close());
  for (let listening = false; !listening;) {
    // The processes of the killed Postgres are still ending.
    listening = await new Promise<boolean>((resolve) => {
      thief.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
  }
}

it('is started again, and saves are answered again, as often as it is killed; on another port when its own is taken meanwhile', async () => {
  const running = await world();
  const { folder, server, meeting, api } = running;
  const readable = async () =>
    expect((await get(server.baseUrl + meeting.lanes[0]!.jsonPath)).status).toBe(200);
  // Some of these saves are in the midst of a transaction.
  const saving = Promise.all(
    meeting.lanes.flatMap((lane) =>
      [1, 2].map(() => saveOnce(lane, (...save) => api(save[0], save[1], save[2])).catch(() => undefined)),
    ),
  );
  await killPostgres(folder);
  await saving;
  await saveAgain(running);
  await readable();

  const port = Number(new URL(await embeddedUrl(folder)).port);
  // Held still, so that the port is taken before the server looks.
  process.kill(server.pid, 'SIGSTOP');
  await killPostgres(folder);
  await takePort(port);
  process.kill(server.pid, 'SIGCONT');
  await saveAgain(running);
  expect(new URL(await embeddedUrl(folder)).port).not.toBe(String(port));
  await readable();
  // The relay and the heartbeat have found it, too.
  await vi.waitFor(
    async () => {
      const { body } = await get(`${server.baseUrl}/readyz`);
      expect(body).toMatchObject({ checks: { database: { status: 'ok' }, outbox: { rows: 0 } } });
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(await server.kill('SIGTERM')).toBe(0);
}, 120_000);
