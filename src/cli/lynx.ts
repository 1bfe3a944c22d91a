// The lynx command, for the timing computer: start lists to the folder of the photo finish, results from it. Needs no database.
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { OperatorError } from '../errors.ts';
import { FILE_ENCODINGS } from '../exchange/text-encoding.ts';
import { LYNX_FILES } from '../lynx/start-lists.ts';
import { passwordOf, withPassword } from './accounts.ts';
import { type Folder, openFolder, type ReadyFile } from './lynx-folder.ts';
import { Away, reasonOf, received } from '../remote-server.ts';
import { type Ask, createAsk } from './lynx-server.ts';
import { competitionIdOf, type Io } from './run.ts';

type Options = {
  server: string;
  competition: string;
  email: string;
  password?: string;
  passwordStdin?: true;
  once?: true;
  encoding: string;
};

const LOOK_MS = 100;
const FETCH_MS = 3000;
const RETRY_MS = 1000;

const EXAMPLE = `
Example:
  npm run cli -- lynx sync C:\\Lynx\\Meeting --server https://results.example.org --competition ID \\
    --email timing@example.org --password-stdin

Keeps lynx.evt, lynx.ppl and lynx.sch as they are on the server, and sends each .lif there once it has been left alone for a
fifth of a second, or for two when it is empty or ends within a line. While the server is away it waits; what was sent is noted
in .lynx-sync.json, so that nothing goes twice.`;

export function addLynxCommands(program: Command, io: Io): void {
  const lynx = program
    .command('lynx')
    .description('photo finish, on the timing computer')
    .addHelpText('after', EXAMPLE);
  const sync = lynx
    .command('sync')
    .description('keep a folder of a photo-finish program and the server the same')
    .argument('<folder>', 'the folder where the program has its lynx.evt and writes its .lif files')
    .requiredOption('--server <url>', 'the address of the service')
    .requiredOption('--competition <id>', 'the id of the competition', competitionIdOf)
    .requiredOption('--email <address>', 'an account that may edit the competition')
    .option('--once', 'do what there is to do, and end; 1 when something was refused or the server is away')
    .addOption(
      new Option('--encoding <encoding>', 'of the three files').choices(FILE_ENCODINGS).default('utf8'),
    )
    .addHelpText('after', EXAMPLE);
  withPassword(sync).action(async (path: string, options: Options) => {
    const { server, competition, email, encoding } = options;
    const known = await stat(path).catch(() => null);
    if (!known?.isDirectory()) throw new OperatorError(`${path} is no folder`);
    if (!URL.canParse(server))
      throw new OperatorError(`${server} is no address: give one such as http://10.0.0.5:3000`);
    const password = await passwordOf(options, io.stdin);
    const folder = await openFolder(path, `${server} ${competition}`, () => performance.now());
    const ask = createAsk(server, { email, password });
    const bridge = { folder, ask, out: io.out, at: `/api/v1/competitions/${competition}/lynx`, encoding };
    await (options.once ? once(bridge) : forever(bridge));
  });
}

type Bridge = { folder: Folder; ask: Ask; out: (line: string) => void; at: string; encoding: string };

async function once(bridge: Bridge): Promise<void> {
  try {
    const etags = new Map<string, string>();
    let refused = await fetchFiles(bridge, etags);
    for (let looking = true; looking;) {
      const { files, unquiet } = await bridge.folder.ready();
      for (const file of files) refused += await send(bridge, file);
      looking = unquiet;
      if (looking) await sleep(LOOK_MS);
    }
    if (refused > 0) throw new OperatorError(`${refused} refused, as said above`);
  } catch (error) {
    if (error instanceof Away)
      throw new OperatorError(`The server is away: ${error.message}`, { cause: error });
    throw error;
  }
}

async function forever(bridge: Bridge): Promise<never> {
  const etags = new Map<string, string>();
  let fetchAt = 0;
  let away = false;
  for (;;) {
    try {
      // Results before start lists: somebody waits for them.
      const { files } = await bridge.folder.ready();
      for (const file of files) await send(bridge, file);
      if (performance.now() >= fetchAt) {
        await fetchFiles(bridge, etags);
        fetchAt = performance.now() + FETCH_MS;
        if (away) bridge.out('server: there again');
        away = false;
      }
      await sleep(LOOK_MS);
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      if (!away) bridge.out(`server: away (${error.message}); waiting`);
      away = true;
      fetchAt = 0;
      await sleep(RETRY_MS);
    }
  }
}

/** @returns how many were refused */
async function fetchFiles(
  { folder, ask, out, at, encoding }: Bridge,
  etags: Map<string, string>,
): Promise<number> {
  let refused = 0;
  for (const name of LYNX_FILES) {
    const etag = etags.get(name);
    const answer = await ask(
      `${at}/${name}?encoding=${encoding}`,
      etag ? { headers: { 'if-none-match': etag } } : {},
    );
    if (answer.status === 304) continue;
    if (!answer.ok) {
      const reason = `${name}: refused, ${await reasonOf(answer)}`;
      // Said once, and again when it becomes another.
      if (etags.get(`${name} refused`) !== reason) out(reason);
      etags.set(`${name} refused`, reason);
      refused++;
      continue;
    }
    const bytes = Buffer.from(await received(answer));
    if (await folder.write(name, bytes)) out(`${name}: written, ${bytes.length} bytes`);
    etags.set(name, answer.headers.get('etag') ?? '');
    etags.delete(`${name} refused`);
  }
  return refused;
}

type Answer = { matched: number; unmatched: { line: number; reason: string }[]; changed: boolean };

/** @returns 1 when it was refused: it is sent again when it changes */
async function send({ folder, ask, out, at }: Bridge, file: ReadyFile): Promise<0 | 1> {
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await ask(`${at}/results`, { method: 'POST', headers, body: new Uint8Array(file.bytes) });
  if (answer.ok) {
    const text = new TextDecoder().decode(await received(answer));
    const { matched, unmatched, changed } = JSON.parse(text) as Answer;
    const others = unmatched.map(({ line, reason }) => `; line ${line}: ${reason}`).join('');
    await folder.stored(file);
    out(`${file.name}: ${changed ? 'stored' : 'nothing new'}, ${matched} matched${others}`);
    return 0;
  }
  out(`${file.name}: refused, ${await reasonOf(answer)}`);
  folder.refused(file);
  return 1;
}
