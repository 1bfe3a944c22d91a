// The outbox commands: events that wait to be published, and those given up.
import type { Command } from 'commander';
import { outboxFailures, outboxStatus, retryDead, type Failure } from '../push/outbox-store.ts';
import type { Outcome, Run } from './run.ts';

const DEAD_SHOWN_MAX = 20;

const EXAMPLES = `
Examples:
  npm run cli -- outbox status
  npm run --silent cli -- outbox status --json
  npm run cli -- outbox retry

Saved results wait here until the push service has taken them, in order. One that it will never take
(malformed for it, or too large) is given up, so that those behind it go out.`;

export function addOutboxCommands(program: Command, run: Run): void {
  const outbox = program
    .command('outbox')
    .description('events on their way to the push service')
    .addHelpText('after', EXAMPLES);
  leaf(outbox, 'status', 'how many wait and for how long, and which were given up').action((options) =>
    run(options, async ({ db }) => {
      const status = await outboxStatus(db);
      return statusOutcome(status, await outboxFailures(db, DEAD_SHOWN_MAX));
    }),
  );
  leaf(outbox, 'retry', 'put the given-up events back, at their old places').action((options) =>
    run(options, async ({ db }) => retryOutcome(await retryDead(db))),
  );
}

function leaf(outbox: Command, name: string, description: string): Command {
  return outbox
    .command(name)
    .description(description)
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES);
}

function statusOutcome(
  { rows, oldestSeconds, dead }: Awaited<ReturnType<typeof outboxStatus>>,
  failures: Awaited<ReturnType<typeof outboxFailures>>,
): Outcome {
  const seconds = Math.round(oldestSeconds * 10) / 10;
  const { waiting } = failures;
  const data = {
    rows,
    oldest_seconds: seconds,
    last_error: waiting?.error ?? null,
    dead,
    given_up: failures.dead,
  };
  const lines = [
    rows ? `${rows} waiting, the oldest for ${seconds} s` : 'Nothing waits',
    ...(waiting ? [`  last error: ${waiting.error}`] : []),
    dead ? `${dead} given up ("outbox retry" puts them back)` : 'Nothing was given up',
    ...failures.dead.map(failureLine),
    ...(dead > failures.dead.length ? [`  and ${dead - failures.dead.length} before these`] : []),
  ];
  return { text: lines.join('\n'), data };
}

const failureLine = ({ id, channel, event, error }: Failure) => `  ${id}  ${event}  ${channel}  ${error}`;

function retryOutcome(retried: number): Outcome {
  const text = retried ? `${retried} put back; a running server publishes them` : 'Nothing was given up';
  return { text, data: { retried } };
}
