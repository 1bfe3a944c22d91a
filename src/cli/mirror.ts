// The mirror command: a folder of JSON files that stays equal to the data site of a service elsewhere. Needs no database.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { createBell } from '../mirror/feed.ts';
import { catchUp, type Mirror, readAnew } from '../mirror/follow.ts';
import { openState } from '../mirror/state-files.ts';
import { Away, baseOf } from '../remote-server.ts';
import { createSemaphore } from '../semaphore.ts';
import type { Io } from './run.ts';

type Options = { from: string; to: string; once?: true; verify?: true };

const RETRY_MS = 1000;
const RETRY_MOST_MS = 30_000;

const EXAMPLE = `
Example:
  npm run cli -- mirror --from https://results.example.org --to /srv/mirror

Keeps calendars, competitions, events, rounds, units and overviews as <address>/index.json, compressed beside it, by the feed of
changes alone. What is done is noted in .mirror: after a kill it goes on from there. While the server is away it waits.`;

export function addMirrorCommand(program: Command, io: Io): void {
  program
    .command('mirror')
    .description('keep a folder of JSON files equal to the data site of a service')
    .requiredOption('--from <url>', 'the address of the service')
    .requiredOption('--to <folder>', 'a mirror, or a new or empty folder')
    .option('--once', 'do what there is to do, and end; 1 when something was refused or the server is away')
    .option('--verify', 'ask for every document again, by its ETag, and replace files that were changed here')
    .addHelpText('after', EXAMPLE)
    .action(async ({ from, to, once, verify }: Options) => {
      if (!URL.canParse(from) || !/^https?:/.test(from))
        throw new OperatorError(`${from} is no address: give one such as https://results.example.org`);
      const state = await openState(to).catch(explained(to));
      const target = {
        folder: to,
        temporary: state.temporary,
        now: Date.now,
        folderInTurn: createSemaphore(1),
      };
      const mirror = { base: baseOf(from), target, state, out: io.out, said: new Set<string>() };
      try {
        if (verify) await readAnew(mirror);
        await (once ? catchUpOnce(mirror) : follow(mirror));
      } catch (error) {
        explained(to)(error);
      } finally {
        await state.close();
      }
    });
}

async function catchUpOnce(mirror: Mirror): Promise<void> {
  try {
    await catchUp(mirror);
  } catch (error) {
    if (error instanceof Away)
      throw new OperatorError(`The server is away: ${error.message}`, { cause: error });
    throw error;
  }
  const refused = mirror.state.catalogue.refused.size;
  if (refused > 0) throw new OperatorError(`${refused} refused, as said above`);
}

async function follow(mirror: Mirror): Promise<never> {
  const bell = createBell(mirror.base, () => performance.now());
  let failures = 0;
  let begun = false;
  for (;;) {
    try {
      await catchUp(mirror);
      if (failures > 0) mirror.out('server: there again');
      failures = 0;
      begun = true;
      bell.listen(mirror.state.reading.cursor);
      await bell.wait();
    } catch (error) {
      // A proxy answers otherwise for a while; whoever never had an answer has a wrong address.
      if (!(error instanceof Away || (begun && error instanceof OperatorError))) throw error;
      if (failures === 0) mirror.out(`server: away (${error.message}); waiting`);
      await sleep(Math.min(RETRY_MS * 2 ** failures, RETRY_MOST_MS));
      failures += 1;
    }
  }
}

/** What the operator can do about a folder that cannot be written. */
function explained(folder: string) {
  return (error: unknown): never => {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new OperatorError(`${folder} cannot be written: ${error.message}`, { cause: error });
  };
}
