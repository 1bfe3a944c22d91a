// The account commands: who may sign in, and what for.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Option, type Command } from 'commander';
import { setDisabled, setPassword } from '../accounts/change-account.ts';
import { grantGroup, revokeGroup } from '../accounts/change-groups.ts';
import { createAccount } from '../accounts/create-account.ts';
import { eraseAccount, exportAccount } from '../accounts/own-data.ts';
import { listAccounts } from '../accounts/store.ts';
import { OperatorError } from '../errors.ts';
import type { Outcome, Run } from './run.ts';

type Common = { json?: boolean; email: string };
type WithPassword = Common & { password?: string; passwordStdin?: true };

const EXAMPLES = `
Examples:
  npm run cli -- account create --email anna@example.org --password-stdin --group ADMIN_GBR
  npm run cli -- account grant --email anna@example.org --group ADMIN_NOR
  npm run cli -- account disable --email anna@example.org
  npm run --silent cli -- account list --json

A member of ADMIN_<country> creates, changes and deletes that country's competitions.
ADMIN_GBR covers ENG, SCO, WAL and NIR as well.`;

export function addAccountCommands(program: Command, run: Run, stdin: Readable): void {
  const account = program
    .command('account')
    .description('accounts and their groups')
    .addHelpText('after', EXAMPLES);
  addCreate(account, run, stdin);
  addPassword(account, run, stdin);
  addGroupCommands(account, run);
  addSwitches(account, run);
  addOwnData(account, run);
  account
    .command('list')
    .description('list the accounts')
    .option('--json', 'answer as JSON')
    .addHelpText('after', '\nExample:\n  npm run --silent cli -- account list --json')
    .action((options: { json?: boolean }) =>
      run(options, async (deps) => listOutcome(await listAccounts(deps.db))),
    );
}

function addCreate(account: Command, run: Run, stdin: Readable): void {
  withPassword(leaf(account, 'create', 'make an account', '--password-stdin --group ADMIN_GBR'))
    .option('--group <group>', 'ADMIN_<country>; may be repeated', (group, groups: string[] | undefined) => [
      ...(groups ?? []),
      group,
    ])
    .action(async (options: WithPassword & { group?: string[] }) => {
      const password = await passwordOf(options, stdin);
      await run(options, async (deps) => {
        const made = await createAccount(deps, {
          email: options.email,
          password,
          groups: options.group ?? [],
        });
        return { text: `Created account ${made.email} (${groupsText(made.groups)})`, data: made };
      });
    });
}

function addPassword(account: Command, run: Run, stdin: Readable): void {
  withPassword(leaf(account, 'password', 'give an account another password', '--password-stdin')).action(
    async (options: WithPassword) => {
      const password = await passwordOf(options, stdin);
      await run(options, async (deps) => {
        const data = await setPassword(deps, { email: options.email, password });
        return { text: `Changed the password of ${data.email}`, data };
      });
    },
  );
}

function addGroupCommands(account: Command, run: Run): void {
  const verbs = [
    { name: 'grant', verb: grantGroup, description: 'put an account into a group', done: 'is in' },
    { name: 'revoke', verb: revokeGroup, description: 'take an account out of a group', done: 'is not in' },
  ];
  for (const { name, verb, description, done } of verbs) {
    leaf(account, name, description, '--group ADMIN_GBR')
      .requiredOption('--group <group>', 'ADMIN_<country>, like ADMIN_GBR')
      .action((options: Common & { group: string }) =>
        run(options, async (deps) => {
          const data = await verb(deps, options);
          return { text: `${data.email} ${done} ${data.group}`, data };
        }),
      );
  }
}

function addSwitches(account: Command, run: Run): void {
  const switches = [
    { name: 'disable', disabled: true, description: 'shut an account out; its tokens stop at once' },
    { name: 'enable', disabled: false, description: 'let a disabled account in again' },
  ];
  for (const { name, disabled, description } of switches) {
    leaf(account, name, description, '').action((options: Common) =>
      run(options, async (deps) => {
        const data = await setDisabled(deps, { email: options.email, disabled });
        return { text: `${data.email} is ${name}d`, data };
      }),
    );
  }
}

function addOwnData(account: Command, run: Run): void {
  leaf(account, 'export', 'print what is stored about an address, as JSON', '').action((options: Common) =>
    run(options, async (deps) => {
      const data = await exportAccount(deps, options.email);
      return { text: JSON.stringify(data, null, 2), data };
    }),
  );
  leaf(account, 'erase', 'delete an account, and its address wherever it stands', '').action(
    (options: Common) =>
      run(options, async (deps) => {
        const data = await eraseAccount(deps, options.email);
        const left = data.without_director;
        const lines = [
          `Erased; in the audit it is ${data.pseudonym}`,
          ...(left.length > 0 ? [`Without a director, for the administrators alone: ${left.join(' ')}`] : []),
        ];
        return { text: lines.join('\n'), data };
      }),
  );
}

function leaf(account: Command, name: string, description: string, example: string): Command {
  const line = `npm run cli -- account ${name} --email anna@example.org ${example}`.trimEnd();
  return account
    .command(name)
    .description(description)
    .requiredOption('--email <address>', 'the e-mail address the account signs in with')
    .option('--json', 'answer as JSON')
    .addHelpText('after', `\nExample:\n  ${line}`);
}

/** The options with which a command is given a password. */
export function withPassword(command: Command): Command {
  return command
    .option(
      '--password <password>',
      'the password (other users of this machine may see it in the process list)',
    )
    .addOption(
      new Option('--password-stdin', 'read the password from the first line of stdin').conflicts('password'),
    );
}

/** The password that these options give. */
export async function passwordOf(
  options: Pick<WithPassword, 'password' | 'passwordStdin'>,
  stdin: Readable,
): Promise<string> {
  if (options.password !== undefined) return options.password;
  if (!options.passwordStdin) {
    throw new OperatorError(
      'No password given; add --password-stdin and pipe it in, or --password <password>',
    );
  }
  // An open stdin would keep the process alive until the other end closes it.
  for await (const line of createInterface({ input: stdin })) {
    stdin.destroy();
    return line;
  }
  throw new OperatorError('No password came from stdin; pipe it in as one line');
}

function listOutcome(accounts: Awaited<ReturnType<typeof listAccounts>>): Outcome {
  const width = Math.max(0, ...accounts.map((account) => account.email.length));
  const lines = accounts.map(
    ({ email, groups, disabled }) =>
      `${email.padEnd(width)}  ${groupsText(groups)}${disabled ? '  (disabled)' : ''}`,
  );
  return {
    text: lines.join('\n') || 'No accounts yet; make one with: account create --email E --password-stdin',
    data: accounts.map(({ createdAt, ...account }) => ({ ...account, created_at: createdAt })),
  };
}

function groupsText(groups: string[]): string {
  return groups.join(' ') || 'no groups';
}
