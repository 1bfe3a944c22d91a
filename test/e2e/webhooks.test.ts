// Webhooks of the real program: killed while it sends, and read by the receiver that the README shows.
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { get, signedIn, signIn, withToken } from '../helpers/http-client.ts';
import { ROOT, startCommand } from '../helpers/program.ts';
import { readmeBlock } from '../helpers/readme.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { makeTestFolder } from '../helpers/temporary.ts';

const soon = { timeout: 20_000, interval: 20 };
const HEATS = 40;

const meeting = (performance?: string) => ({
  full_name: 'Harbour Open',
  country_id: 'GBR',
  date: '2026-07-18',
  events: [
    {
      event_id: 'T1',
      event_code: '100',
      units: Array.from({ length: HEATS }, (_, n) => ({
        round: 1,
        heat: n + 1,
        results: [{ bib: '1', ...(performance && { performance }) }],
      })),
    },
  ],
});

it('a server that is killed while it sends loses nothing, and repeats under the same ids', async () => {
  const env = { ...(await databaseEnvironment()), WEBHOOK_ALLOW_PRIVATE: 'true' };
  const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
  const receiver = await startReceiver(
    (response) => void setTimeout(() => response.writeHead(204).end(), 60),
  );
  const server = await startServerProcess(env);
  const token = await signIn(server.baseUrl, account);
  const api = withToken(server.baseUrl, token);
  const { body: created } = await api('POST', '/competitions/', meeting());
  // It is told of what comes after it, so what is there has to have its number.
  await vi.waitFor(async () => {
    const { changes } = (await get(`${server.baseUrl}/api/v1/changes`)).body;
    expect(changes).toHaveLength(HEATS + ['competition', 'event'].length);
  }, soon);
  const { body: hook } = await api('POST', '/webhooks', { url: receiver.url, types: ['unit'] });
  await api('POST', `/competitions/${created.id}`, meeting('11.11'));
  await vi.waitFor(() => expect(receiver.all.length).toBeGreaterThan(5), soon);
  await server.kill('SIGKILL');
  const restarted = withToken((await serve(env)).baseUrl, token);
  const { events } = (await restarted('GET', `/competitions/${created.id}?include=events`)).body;
  const newest = new Map<number, number>(
    events[0].units.map(({ heat, revision }: { heat: number; revision: number }) => [heat, revision]),
  );
  await vi.waitFor(() => {
    const told = new Map<number, number>();
    for (const { data } of receiver.all)
      told.set(data.heat_no, Math.max(data.revision, told.get(data.heat_no) ?? 0));
    expect(told).toEqual(newest);
  }, soon);
  const webhook = new Webhook(hook.secret as string);
  const texts = new Map<string, string>();
  for (const { id, text, headers } of receiver.all) {
    webhook.verify(text, headers as Record<string, string>);
    expect(texts.get(id) ?? text).toBe(text);
    texts.set(id, text);
  }
  // Of the few that were under way at a kill it is not known whether they arrived.
  expect(receiver.all.length - texts.size).toBeLessThanOrEqual(4);
});

it("the README's receiver, as it stands, takes what is signed and nothing else", async () => {
  const env = { ...(await databaseEnvironment()), WEBHOOK_ALLOW_PRIVATE: 'true' };
  const { baseUrl } = await serve(env);
  const api = await signedIn(baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { body: hook } = await api('POST', '/webhooks', { url });
  const folder = await makeTestFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const shown = readmeBlock('typescript', 'standardwebhooks').replace('8000', String(port));
  await writeFile(join(folder, 'receiver.mjs'), (await transform(shown, { loader: 'ts' })).code);
  const program = startCommand({
    command: process.execPath,
    args: ['receiver.mjs'],
    env: { WEBHOOK_SECRET: String(hook.secret) },
    cwd: folder,
  });
  onTestFinished(async () => {
    await program.kill('SIGKILL');
  });
  const isThere = () => fetch(url, { method: 'POST', body: '{"type": "unit.changed"}' });
  await vi.waitFor(async () => expect((await isThere()).status).toBe(400), soon);
  await api('POST', `/webhooks/${hook.id}/ping`);
  await api('POST', '/competitions/', meeting());
  await vi.waitFor(() => {
    expect(program.written.stdout).toContain(`competition.changed ${baseUrl}/x/2026/GBR/harbour-open/json/`);
    expect(program.written.stdout).toContain('ping');
  }, soon);
  expect(program.written.stderr).toBe('');
});
