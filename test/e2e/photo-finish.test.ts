// The timing computer: a folder that a photo-finish program writes, and a server that goes and comes back. The program that
// keeps the folder is a process of its own; what it does once and ends is run in this one.
import { appendFile, mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runApart } from '../helpers/cli.ts';
import { competition } from '../helpers/factories.ts';
import { freePort } from '../helpers/free-port.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, launch, makeAccount } from '../helpers/server.ts';

const HEATS = [1, 2, 3, 4, 5];
const MEETING = competition({
  competitors: [
    { competitor_id: '101', first_name: 'Maren', last_name: 'Okafor' },
    { competitor_id: '102', first_name: 'Jörg', last_name: 'Marsh' },
  ],
  events: [
    { event_id: 'S', event_code: '100', name: '100 m', units: HEATS.map((heat) => ({ round: 1, heat })) },
  ],
});

const race = (heat: number, time = '11.815') =>
  `1,1,${heat},100 m\r\n1,101,4,Okafor,Maren,,${time}\r\n2,102,5,Marsh,Jörg,,11.9\r\n`;

async function world() {
  const env = await databaseEnvironment();
  const account = await makeAccount(env.DATABASE_MIGRATION_URL, 'ADMIN_GBR');
  const port = String(await freePort());
  const start = () => serve({ ...env, PORT: port });
  const server = await start();
  const api = `${server.baseUrl}/api/v1`;
  const signedIn = await fetch(`${api}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: account.email, password: account.password }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const created = await post('/competitions/', MEETING);
  const { id, slug } = (await created.json()) as { id: string; slug: string };
  const folder = join(env.DATA_DIR, 'Lynx meeting');
  await mkdir(folder);
  const line = ['lynx', 'sync', folder, '--server', server.baseUrl, '--competition', id];
  const args = [...line, '--email', account.email, '--password-stdin'];
  const sync = (...more: string[]) => {
    const program = launch('src/cli.ts', {}, { args: [...args, ...more] });
    program.say(`${account.password}\n`);
    return program;
  };
  const syncOnce = (...more: string[]) => runApart([...args, '--once', ...more], `${account.password}\n`);
  const result = async (heat: number) => {
    const read = await fetch(`${server.baseUrl}/x/2026/GBR/${slug}/event/S/1/${heat}/json/`);
    const { results } = (await read.json()) as { results: { performance: string }[] };
    return results.map(({ performance }) => performance);
  };
  return { server, start, post, folder, sync, syncOnce, result, at: (name: string) => join(folder, name) };
}

// Several processes are started one after the other.
const PATIENT = { timeout: 120_000 };

const count = (text: string, part: string) => text.split(part).length - 1;

test(
  'every file arrives once: written in halves, renamed, rewritten, while the server is away, after the token ended',
  PATIENT,
  async () => {
    const { server, start, post, folder, sync, syncOnce, result, at } = await world();
    const program = sync('--encoding', 'cp1252');
    await program.until(/lynx\.sch: written/);
    expect(await readFile(at('lynx.evt'), 'utf8')).toContain('1,1,2,100 m Final 2');
    expect((await readFile(at('lynx.ppl'), 'latin1')).includes('Jörg')).toBe(true);

    const [first, second] = [race(1).slice(0, 30), race(1).slice(30)];
    await writeFile(at('001-1-01.lif'), '');
    await sleep(400);
    await writeFile(at('001-1-01.lif'), first);
    await sleep(400);
    await appendFile(at('001-1-01.lif'), second);
    await program.until(/001-1-01\.lif: stored, 2 matched/);
    expect(await result(1)).toEqual(['11.82', '11.9']);

    await rename(at('001-1-01.lif'), at('moved.lif'));
    await writeFile(at('moved.tmp'), race(2));
    await rename(at('moved.tmp'), at('heat 2.LIF'));
    await program.until(/heat 2\.LIF: stored/);
    await writeFile(at('moved.lif'), race(1, '11.790'));
    await program.until(/moved\.lif: stored/);
    expect(await result(1)).toEqual(['11.79', '11.9']);

    await server.stop();
    await writeFile(at('heat3.lif'), race(3));
    await program.until(/server: away/);
    await writeFile(at('heat4.lif'), race(4));
    await start();
    await program.until(/heat4\.lif: stored/);
    expect(await result(3)).toEqual(['11.82', '11.9']);

    await post('/auth/revoke', {});
    await writeFile(at('heat5.lif'), race(5));
    await program.until(/heat5\.lif: stored/);
    await program.kill('SIGTERM');
    expect(count(program.written.stdout, '.lif: stored')).toBe(5);
    expect(program.written.stdout).not.toMatch(/refused|nothing new/);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);

    await writeFile(at('wrong.lif'), race(9));
    const again = await syncOnce('--encoding', 'cp1252');
    expect(again.code).toBe(1);
    expect(again.out.split('\n')).toContain(
      'wrong.lif: refused, Line 1, heat: Event 1 (S) has no heat 9 in round 1',
    );
    expect(count(again.out.toLowerCase(), '.lif: ')).toBe(1);
  },
);

test(
  'once does what there is to do and ends; a wrong password or a server that is away is an error in one line',
  PATIENT,
  async () => {
    const { server, folder, syncOnce, at } = await world();
    await writeFile(at('a.lif'), race(1));
    const first = await syncOnce();
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/lynx\.evt: written[^]*a\.lif: stored, 2 matched/);
    const idle = await syncOnce();
    expect(idle.code).toBe(0);
    expect(idle.out).not.toContain('.lif');

    const line = [
      'lynx',
      'sync',
      folder,
      '--server',
      server.baseUrl,
      '--once',
      '--email',
      'nobody@example.org',
    ];
    const args = [
      ...line,
      '--competition',
      '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11',
      '--password',
      'wrong password',
    ];
    const stranger = await runApart(args);
    expect(stranger.code).toBe(1);
    expect(stranger.err).toMatch(/^Error: nobody@example\.org cannot sign in at .*$/);

    await server.stop();
    const alone = await syncOnce();
    expect(alone.code).toBe(1);
    expect(alone.err).toMatch(/^Error: The server is away: .*$/);
  },
);
