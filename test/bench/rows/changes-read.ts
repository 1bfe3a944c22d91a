// A whole change feed read page by page over HTTP, against the same rows from Postgres turned into JSON.
import { Agent } from 'node:http';
import { Client } from 'pg';
import { runSql } from '../../helpers/sql.ts';
import type { Bench } from '../bench.ts';
import { request } from '../request.ts';
import { interleaved, median, type Row } from '../row.ts';
import { startServer } from '../server.ts';
import { idOf } from '../upload.ts';

const OBJECTS = 100_000;
const PAGE = 1000;

export const changesRead: Row = {
  row: 19,
  name: `change feed, ${OBJECTS.toLocaleString('en')} objects in pages of ${PAGE} | the same rows by pg + JSON.stringify`,
  unit: 'requests/s',
  target: { atLeast: 0.5 },
  async measure(bench) {
    const { api, baseUrl, databaseUrl } = await startServer(bench);
    const fields = { full_name: 'Feed', slug: 'feed', country_id: 'GBR', date: '2026-07-18' };
    const id = idOf(await api('POST', '/competitions/', JSON.stringify(fields)));
    const agent = new Agent({ keepAlive: true });
    bench.afterwards(() => agent.destroy());
    const pageAfter = async (after: string) =>
      (await request({ url: `${baseUrl}/api/v1/changes?limit=${PAGE}&after=${after}`, agent })).body;
    while (!(await pageAfter('')).includes(id)) await new Promise((resolve) => setTimeout(resolve, 50));
    await runSql(databaseUrl, FILL, [id, OBJECTS]);
    const { values, floors } = await interleaved(
      bench.effort.rounds,
      () => pagesPerSecond(pageAfter),
      await floorOf(bench, databaseUrl),
    );
    return { value: median(values), floor: median(floors) };
  },
};

// As many competitors as no test uploads; the competition itself stays as the feed knows it, so that nobody compares them.
const FILL = `
  with filled as (
    insert into changes (competition_id, type, event_id, object_id, round, heat, number, version, revision, deleted, updated_at)
    select $1::uuid, 'competitor', '', n::text, 0, 0, last + n, n, n, false, now()
    from change_feed, generate_series(1, $2::int) n
  )
  update change_feed set last = last + $2::int`;

async function pagesPerSecond(pageAfter: (after: string) => Promise<Buffer>): Promise<number> {
  const startMs = performance.now();
  let pages = 0;
  for (let after = '', more = true; more; pages += 1) {
    const end = (await pageAfter(after)).subarray(-100).toString();
    const [, next, answer] = /"next":"([^"]+)","more":(true|false)}$/.exec(end)!;
    [after, more] = [next!, answer === 'true'];
  }
  if (pages < OBJECTS / PAGE) throw new Error(`${pages} pages`);
  return (pages * 1000) / (performance.now() - startMs);
}

async function floorOf(bench: Bench, connectionString: string): Promise<() => Promise<number>> {
  const client = new Client({ connectionString });
  bench.afterwards(() => client.end());
  await client.connect();
  const text = `select number, type, competition_id, year, country_id, slug, event_id, object_id, round, heat,
      changes.revision, changes.deleted, updated_at
    from changes join changed_competitions using (competition_id) where number > $1 order by number limit ${PAGE}`;
  return async () => {
    const startMs = performance.now();
    let pages = 0;
    for (let after = '0'; ; pages += 1) {
      const { rows } = await client.query<{ number: string }>({ name: 'page', text, values: [after] });
      JSON.stringify(rows);
      if (rows.length < PAGE) return ((pages + 1) * 1000) / (performance.now() - startMs);
      after = rows.at(-1)!.number;
    }
  };
}
