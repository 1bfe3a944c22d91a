// The README's own words, copied and pasted: commands, the widget, nginx without Docker.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { type ApiClient, get, signedIn } from '../helpers/http-client.ts';
import { makeStaticRoot } from '../helpers/nginx.ts';
import { NGINX } from '../helpers/nginx-program.ts';
import { ROOT, startCommand } from '../helpers/program.ts';
import { readmeBlock } from '../helpers/readme.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount } from '../helpers/server.ts';
import { makeTestFolder } from '../helpers/temporary.ts';
import { openWebPage } from '../helpers/web-page.ts';

const HOST = 'http://127.0.0.1:3000';
const PAGE = '/x/2026/GBR/harbour-town-open';

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const missing = (...programs: string[]) => {
  const absent = programs.filter((program) => !has(program));
  return absent.length > 0 ? ` (skipped: ${absent.join(' and ')} not installed)` : '';
};
const noCurl = missing('curl');
const noNginx = NGINX ? missing('envsubst') : ' (skipped: nginx not installed)';

async function world() {
  const env = await databaseEnvironment();
  const { baseUrl } = await serve(env);
  const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
  return { baseUrl, account, api: await signedIn(baseUrl, account) };
}

describe.skipIf(noCurl)(`the commands${noCurl}`, () => {
  it('create, upload and read a competition, record attempts, refuse a stale save, and exchange files', async () => {
    const { baseUrl, account } = await world();
    const first = readmeBlock('sh', '# Create. The answer is the record')
      .replace('me@example.org', account.email)
      .replace('a long passphrase', account.password);
    const folder = await makeTestFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const sync = readmeBlock('sh', 'lynx sync')
      .replace('npm run cli', `echo '${account.password}' | npm --silent --prefix '${ROOT}' run cli`)
      .replace('/path/to/lynx', `'${folder}'`)
      .replace('--competition ID', '--competition "$ID"')
      .replace('timing@example.org', account.email)
      .trimEnd();
    const script = [
      first,
      readmeBlock('sh', 'Idempotency-Key'),
      readmeBlock('sh', 'lynx.evt?encoding'),
      readmeBlock('sh', 'entries.csv'),
      `${sync} --once\n`,
    ].join('');
    const program = startCommand({
      command: 'sh',
      args: ['-ec', script.replaceAll(HOST, baseUrl)],
      env: {},
      cwd: folder,
    });
    expect({ code: await program.ended, error: program.written.stderr }).toEqual({ code: 0, error: '' });
    expect(await readFile(join(folder, 'lynx.ppl'), 'utf8')).toContain('101,Okafor,Maren');
    expect(await readFile(join(folder, 'lynx.sch'), 'utf8')).toContain('1,1,1');
    expect(await readFile(join(folder, 'entries.csv'), 'utf8')).toContain('101;;Maren;Okafor');
    for (const answer of [
      '"matched":1',
      '"dry_run":true,"encoding":"utf-8"',
      '{"complete":false,"athletes":1',
    ])
      expect(program.written.stdout).toContain(answer);

    const { events } = (await get(`${baseUrl}${PAGE}/json/`)).body;
    const [sprint, longJump, highJump] = events.map(({ units }: { units: unknown[] }) => units[0]);
    expect(sprint).toMatchObject({ results: [{ bib: '101', place: 1, athlete_name: 'Maren Okafor' }] });
    expect(longJump).toMatchObject({
      results_status: 'official',
      wind_assistance: null,
      results: [{ place: 1, performance: '6.21' }],
      trials: [{ round: 1, result: '6.21', wind: '+0.4' }],
    });
    expect(highJump.trials).toMatchObject([
      { height: '1.75', result: 'x' },
      { height: '1.75', result: 'o' },
    ]);
    const refusal = /HTTP\/1\.1 412 .*/s.exec(program.written.stdout)![0];
    expect(refusal).toContain(`etag: "${longJump.revision}"`);
  }, 60_000);
});

const sprint = (results: unknown[]) => ({
  competitors: [
    { competitor_id: '101', first_name: 'Maren', last_name: 'Okafor' },
    { competitor_id: '102', first_name: 'Ana', last_name: 'Lind' },
  ],
  events: [{ event_id: 'T1', event_code: '100', units: [{ round: 1, heat: 1, results }] }],
});

async function sprintMeeting(api: ApiClient): Promise<(results: unknown[]) => Promise<unknown>> {
  const meeting = { full_name: 'Harbour Town Open', country_id: 'GBR', date: '2026-07-18' };
  const { id } = (await api('POST', '/competitions/', meeting)).body;
  await api('PATCH', `/competitions/${id}/settings`, { push_notifications: true });
  return (results) => api('POST', `/competitions/${id}`, sprint(results));
}

it('the widget shows a unit, follows it live, and catches up after the line was away', async () => {
  const { baseUrl, api } = await world();
  const save = await sprintMeeting(api);
  await save([{ bib: '101' }, { bib: '102' }]);
  const widget = readmeBlock('html', 'new Pusher').replaceAll(HOST, baseUrl);
  const page = await openWebPage(widget);
  const shows = async (lines: string[]) => {
    await expect.poll(() => page.lines('results')).toEqual(lines);
  };
  await shows(['Maren Okafor', 'Ana Lind']);

  await save([{ bib: '101', place: 1, performance: '11.82' }, { bib: '102' }]);
  await shows(['1 Maren Okafor 11.82', 'Ana Lind']);

  page.cutOff();
  await save([
    { bib: '102', place: 1, performance: '11.80' },
    { bib: '101', place: 2, performance: '11.82' },
  ]);
  await shows(['1 Ana Lind 11.80', '2 Maren Okafor 11.82']);
});

describe.skipIf(noNginx)(`nginx without Docker${noNginx}`, () => {
  it('is filled in by the command shown, and serves the service and its calendar files', async () => {
    const { baseUrl } = await world();
    const folder = await makeTestFolder();
    await cp(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
    const staticRoot = await makeStaticRoot();
    const calendar = join(staticRoot, 'main/live/euroath');
    await mkdir(calendar, { recursive: true });
    await writeFile(join(calendar, 'european_calendar_2026.json'), '[]');
    const port = await freePort();
    const script = readmeBlock('sh', 'envsubst')
      .replace('NGINX_LISTEN=8080', `NGINX_LISTEN=127.0.0.1:${port}`)
      .replace('/srv/athletics', staticRoot)
      .replace('127.0.0.1:3000', new URL(baseUrl).host)
      .replaceAll(/^nginx /gm, `${NGINX} `)
      .replace(/(\S+ -e .* -g)/, 'exec $1');
    // A file, as nginx opens its output once more.
    const args = ['-ec', `exec > log 2>&1\n${script}`];
    const program = startCommand({ command: 'sh', args, env: {}, cwd: folder });
    onTestFinished(async () => {
      await program.kill('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    });
    const log = () => readFile(join(folder, 'log'), 'utf8');
    const through = `http://127.0.0.1:${port}`;
    await vi
      .waitFor(() => get(`${through}/nginx-up`), { timeout: 20_000, interval: 50 })
      .catch(async (error) => {
        throw new Error(await log(), { cause: error });
      });
    expect(await log()).toContain('test is successful');
    expect((await get(`${through}/api/v1/ping/`)).body).toMatchObject({ reply: 'pong' });
    expect((await get(`${through}/assets/pusher.js`)).status).toBe(200);
    expect((await get(`${through}/live/euroath/european_calendar_2026.json`)).body).toEqual([]);
  });
});
