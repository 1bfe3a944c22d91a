// The readers of the change feed that the README shows, as they stand there.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { rm, writeFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { signedIn } from '../helpers/http-client.ts';
import { startCommand } from '../helpers/program.ts';
import { readmeBlock } from '../helpers/readme.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';
import { makeTestFolder } from '../helpers/temporary.ts';

const noPython = spawnSync('python3', ['--version']).status === 0 ? '' : ' (skipped: python3 not installed)';
const soon = { timeout: 20_000, interval: 20 };

async function world() {
  const env = await databaseEnvironment();
  const { baseUrl } = await serve(env);
  const api = await signedIn(baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const folder = await makeTestFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const create = async (name: string) =>
    (await api('POST', '/competitions/', { full_name: name, country_id: 'GBR', date: '2026-07-18' })).body.id;
  /** A program in that folder, and the lines that it has written. */
  const run = async (command: string, name: string, code: string) => {
    await writeFile(join(folder, name), code);
    const program = startCommand({ command, args: [name], env: {}, cwd: folder });
    onTestFinished(async () => {
      await program.kill('SIGKILL');
    });
    return () => program.written.stdout.trim().split('\n').filter(Boolean).concat(program.written.stderr);
  };
  return { env, baseUrl, api, create, run };
}

describe.skipIf(noPython)(`the Python reader${noPython}`, () => {
  it('tells of what there is, of what comes, and of everything anew in another epoch', async () => {
    const { env, baseUrl, api, create, run } = await world();
    const one = await create('One');
    const code = readmeBlock('python', 'def follow').replace('time.sleep(5)', 'time.sleep(0.05)');
    const call = `follow("${baseUrl}/api/v1/changes", "", lambda one: print(one["competition_id"], one["deleted"], flush=True))`;
    const lines = await run('python3', 'follow.py', `${code}\n${call}\n`);
    await vi.waitFor(() => expect(lines()).toEqual([`${one} False`, '']), soon);
    await api('DELETE', `/competitions/${one}`);
    await vi.waitFor(() => expect(lines()).toEqual([`${one} False`, `${one} True`, '']), soon);
    await runSql(env.DATABASE_URL, `update change_feed set epoch = '0123456789ab'`);
    await vi.waitFor(() => expect(lines()).toEqual([`${one} False`, `${one} True`, `${one} True`, '']), soon);
  });
});

describe('the TypeScript reader', () => {
  it('tells of what there is and of what comes', async () => {
    const { baseUrl, api, create, run } = await world();
    const one = await create('One');
    const { code } = await transform(readmeBlock('typescript', 'function* follow'), { loader: 'ts' });
    const call = `for await (const one of follow('${baseUrl}/api/v1/changes')) console.log(one.competition_id, one.deleted)`;
    const lines = await run(process.execPath, 'follow.mjs', `${code}\n${call}\n`);
    await vi.waitFor(() => expect(lines()).toEqual([`${one} false`, '']), soon);
    await api('DELETE', `/competitions/${one}`);
    await vi.waitFor(() => expect(lines()).toEqual([`${one} false`, `${one} true`, '']), soon);
  });
});
