// The webhook commands: who has the service call where, and an end to it.
import type { Command } from 'commander';
import { disableAnyWebhook, hostOf } from '../webhooks/disable.ts';
import { webhookRecord } from '../webhooks/records.ts';
import { listAllWebhooks } from '../webhooks/store.ts';
import type { Deps } from '../deps.ts';
import { type Outcome, type Run, webhookIdOf } from './run.ts';

const EXAMPLES = `
Examples:
  npm run cli -- webhook list
  npm run --silent cli -- webhook list --json
  npm run cli -- webhook disable 0b5f4c1e-6f2d-4b8e-9d2b-3d1c5a7e9f10

Their owners make them, over the API, and may enable one again; "account disable" ends all of an account.`;

export function addWebhookCommands(program: Command, run: Run): void {
  const webhook = program
    .command('webhook')
    .description('calls of this service to receivers')
    .addHelpText('after', EXAMPLES);
  webhook
    .command('list')
    .description('list the webhooks of all accounts')
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: { json?: boolean }) => run(options, list));
  webhook
    .command('disable')
    .description('send nothing there any more')
    .argument('<id>', 'of the webhook', webhookIdOf)
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: { json?: boolean }) =>
      run(options, async (deps) => {
        const disabled = await disableAnyWebhook(deps, id);
        return {
          text: `${id} (${hostOf(disabled)}) is disabled`,
          data: webhookRecord(disabled, deps.now()),
        };
      }),
    );
}

async function list({ reads, now }: Deps): Promise<Outcome> {
  const data = (await listAllWebhooks(reads)).map(({ webhook, account }) => ({
    account,
    ...webhookRecord(webhook, now()),
  }));
  const lines = data.map(({ id, account, url, disabled_reason, failing_since }) => {
    const state = disabled_reason ? `disabled (${disabled_reason})` : failing_since ? 'failing' : 'active';
    return [id, account, new URL(url).host, state].join('  ');
  });
  return { text: lines.join('\n') || 'No webhooks', data };
}
