// All commands of the operations program.
import { Command } from 'commander';
import { addAccountCommands } from './accounts.ts';
import { addAuditCommand } from './audit.ts';
import { addCalendarCommands } from './calendar.ts';
import { addCompetitionCommands } from './competitions.ts';
import { addLynxCommands } from './lynx.ts';
import { addMirrorCommand } from './mirror.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOutboxCommands } from './outbox.ts';
import { addPersonCommands } from './people.ts';
import { addWebhookCommands } from './webhooks.ts';
import { createRun, report, type Io } from './run.ts';

/** Runs the command in argv (without node and the script's name); returns the exit code. */
export async function runCli(argv: string[], io: Io): Promise<number> {
  const program = new Command()
    .name('npm run cli --')
    .description('Operations on the athletics data service. Configured by the environment, like the server.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.err(text.trimEnd()),
    })
    .showHelpAfterError('(add --help for the options)')
    .helpCommand(false);
  const run = createRun(io);
  addAccountCommands(program, run, io.stdin);
  addAuditCommand(program, run, io);
  addCalendarCommands(program, run);
  addCompetitionCommands(program, run, io);
  addLynxCommands(program, io);
  addMigrateCommand(program, run);
  addMirrorCommand(program, io);
  addOutboxCommands(program, run);
  addPersonCommands(program, run);
  addWebhookCommands(program, run);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, io);
  }
}
