// The calendar command: builds the files without waiting for the night.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { buildCalendar, currentYears } from '../calendar/build.ts';
import type { Run } from './run.ts';

export function addCalendarCommands(program: Command, run: Run): void {
  const calendar = program.command('calendar').description('static calendar files');
  calendar
    .command('build')
    .description('build the files of this year and the next, or of one year')
    .option('--year <year>', 'only this year', yearOf)
    .option('--json', 'answer as JSON')
    .addHelpText('after', '\nExample:\n  npm run cli -- calendar build --year 2027')
    .action(async (options: { year?: number; json?: boolean }) => {
      await run(options, async (deps) => {
        const years = options.year === undefined ? currentYears(deps) : [options.year];
        const built = await buildCalendar(deps, () => years);
        const seconds = built.seconds.toFixed(1);
        const text = `Built ${built.files} calendars of ${built.competitions} competitions for ${years.join(' and ')} in ${seconds} s`;
        return { text, data: built };
      });
    });
}

function yearOf(text: string): number {
  if (!/^[1-9]\d{3}$/.test(text)) throw new InvalidArgumentError('A year has four digits.');
  return Number(text);
}
