// Files of a large competition: made as they are read, with no more of them in memory than a page.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { startTestApp } from '../helpers/app.ts';
import { byLength } from '../helpers/length.ts';
import { liveBytes } from '../helpers/memory.ts';
import { runSql } from '../helpers/sql.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const ROWS = byLength(20_000, 50_000);
const HEATS = ROWS / 400;
// A page of units with their people, and what the first request of all leaves behind.
const MOST_LIVE_BYTES = 40 * 1024 * 1024;

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
// Without room for documents in memory, they are streamed.
const cacheBytes = { documents: 0, frames: 0, units: 0 };
const app = await buildApp(
  { ...api.deps, config: { ...api.deps.config, cacheBytes } },
  { baseUrl: () => 'http://data.test', pushServer: null },
);
afterAll(async () => {
  await app.close();
  await api.close();
});

const world: { origin: string; page: string; path: string } = { origin: '', page: '', path: '' };

beforeAll(async () => {
  const events = [{ event_id: 'E', event_code: '100', name: '100 m' }];
  const { id, page, path } = await uploadsInto(admin, { events });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  Object.assign(world, { origin: `http://127.0.0.1:${port}`, page, path });
  await runSql(
    api.ownerUrl,
    `insert into competitors (competition_id, competitor_id, first_name, last_name, position, record)
      select '${id}', n::text, 'Ana', 'Lind ' || n, n, json_build_object('competitor_id', n::text,
        'first_name', 'Ana', 'last_name', 'Lind ' || n, 'date_of_birth', '2001-03-04', 'nationality', 'NOR',
        'note ' || n % 50, repeat('noted ', 400), 'events_entered', json_build_array(json_build_object('event_id', 'E')))
      from generate_series(1, ${ROWS}) n`,
  );
  await runSql(
    api.ownerUrl,
    `insert into units (competition_id, event_id, round, heat, status, results_status, record, text, content_hash,
        revision, render_version, updated_at)
      select '${id}', 'E', 1, heat, 'finished', 'official', '{}', json_build_object('event_id', 'E',
        'event_name', repeat('Long name ', 20), 'round', 1, 'heat', heat, 'results_status', 'official', 'trials', '[]'::json,
        'results', (select json_agg(json_build_object('bib', n::text, 'place', n % 400, 'performance', '11.82'))
          from generate_series((heat - 1) * 400 + 1, heat * 400) n))::text, 'x', heat, 4, now()
      from generate_series(1, ${HEATS}) heat`,
  );
}, 120_000);

test.for([
  ['results.csv', () => `${world.page}/results.csv`],
  ['startlist.csv', () => `${world.page}/startlist.csv`],
  ['entries.csv', () => `${world.path}/entries.csv`],
  ['results.wa.json', () => `${world.path}/results.wa.json`],
] as const)('%s', { timeout: 120_000 }, async ([, address]) => {
  const headers = { authorization: `Bearer ${admin.token}`, 'accept-encoding': 'identity' };
  const before = liveBytes();
  const answer = await fetch(world.origin + address(), { headers });
  expect(answer.status).toBe(200);
  let most = 0;
  let read = 0;
  let looked = 0;
  let rows = 0;
  for await (const chunk of answer.body!) {
    read += chunk.length;
    rows +=
      Buffer.from(chunk)
        .toString('latin1')
        .split(/\r\n|"placeInRace"/).length - 1;
    // What is kept grows with what is read: it shows at the last look as well as at many.
    if (read < Math.max(2_000_000, 2 * looked)) continue;
    looked = read;
    most = Math.max(most, liveBytes() - before);
  }
  expect(read).toBeGreaterThan(2_000_000);
  expect(rows).toBeGreaterThan(ROWS * 0.99);
  expect(looked).toBeGreaterThan(0);
  expect(most).toBeLessThan(MOST_LIVE_BYTES);
});
