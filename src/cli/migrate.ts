// The migrate command: opening the dependencies brings the database to the present schema, so nothing is left to do.
import type { Command } from 'commander';
import type { Run } from './run.ts';

export function addMigrateCommand(program: Command, run: Run): void {
  program
    .command('migrate')
    .description('bring the database to the present schema (the server does so at start, too)')
    .option('--json', 'answer as JSON')
    .addHelpText('after', '\nExample:\n  npm run cli -- migrate')
    .action((options: { json?: boolean }) =>
      run(options, async () => ({ text: 'The database is up to date', data: { migrated: true } })),
    );
}
