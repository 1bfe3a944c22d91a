// The person commands: what is stored about somebody, and its erasure.
import { type Command, InvalidArgumentError } from 'commander';
import { erasePerson } from '../people/erase-person.ts';
import { exportPerson } from '../people/export-person.ts';
import { OperatorError } from '../errors.ts';
import { competitionIdOf, type Run } from './run.ts';

const EXAMPLES = `
Examples:
  npm run --silent cli -- person export --name 'Maren Okafor' > okafor.json
  npm run cli -- person erase --name 'Maren Okafor' --competition 5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11
  npm run cli -- person erase --name 'Maren Okafor' --all

Everybody of that name is meant; look at the export first. Erased are the name and all that is personal beside it. Bibs,
places and marks stay: they matter to the others. Who uploads the name again brings it back.`;

type Options = { name: string; competition?: string; all?: true; json?: boolean };

export function addPersonCommands(program: Command, run: Run): void {
  const person = program
    .command('person')
    .description('what is stored about a competitor')
    .addHelpText('after', EXAMPLES);
  leaf(person, 'export', 'print everything stored about the competitors of a name, as JSON').action(
    (options: Options) =>
      run(options, async (deps) => {
        const data = await exportPerson(deps, { name: options.name, competitionId: options.competition });
        return { text: JSON.stringify(data, null, 2), data };
      }),
  );
  leaf(person, 'erase', 'take a name, and what is personal beside it, out of what is stored')
    .option('--all', 'in every competition')
    .action((options: Options) => {
      if ((options.competition === undefined) === (options.all === undefined))
        throw new OperatorError('Say where: --competition <id>, or --all');
      return run(options, async (deps) => {
        const data = await erasePerson(deps, { name: options.name, competitionId: options.competition });
        const lines = data.map(
          ({ id, competitors, units, other }) =>
            `Erased in competition ${id}: ${competitors} competitors, ${units} units, ${other} other records`,
        );
        return { text: lines.join('\n'), data };
      });
    });
}

function leaf(person: Command, name: string, description: string): Command {
  return person
    .command(name)
    .description(description)
    .requiredOption('--name <name>', 'first and last name', nameOf)
    .option('--competition <id>', 'in this competition', competitionIdOf)
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES);
}

function nameOf(text: string): string {
  if (text.trim().length > 1) return text.trim();
  throw new InvalidArgumentError('Write the whole name.');
}
