// The audit command: who changed what, when and from where.
import { type Command, InvalidArgumentError } from 'commander';
import { normalizeEmail } from '../accounts/store.ts';
import { type AuditFilter, listAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { competitionIdOf, type Io, type Outcome, type Run } from './run.ts';

const SHOWN = 1000;

const EXAMPLES = `
Examples:
  npm run cli -- audit --since 2026-07-18
  npm run cli -- audit --account anna@example.org
  npm run --silent cli -- audit --competition 5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11 --json

Entries are kept for 400 days. Saves of single units and attempts are not among them. Sign-ins and refusals that
repeat within a minute are one entry, with how often.`;

type Options = {
  since?: Date;
  account?: string;
  competition?: string;
  limit?: number;
  json?: boolean;
};

export function addAuditCommand(program: Command, run: Run, io: Io): void {
  program
    .command('audit')
    .description('who signed in, was refused, or changed accounts, settings and competitions')
    .option('--since <time>', 'from this day or instant on: 2026-07-18, 2026-07-18T09:00:00Z', instantOf)
    .option('--account <email>', 'what this account did, and what was done to it')
    .option('--competition <id>', 'what was done to this competition', competitionIdOf)
    .option('--limit <entries>', `the newest so many; ${SHOWN} unless --json`, countOf)
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => run(options, (deps) => audit(deps, options, io)));
}

async function audit({ reads }: Deps, options: Options, io: Io): Promise<Outcome> {
  const { since, account, competition: competitionId, json, limit = json ? undefined : SHOWN } = options;
  const filter: AuditFilter = { since, competitionId, account: account && normalizeEmail(account) };
  const entries = await listAudit(reads, filter, limit);
  if (options.limit === undefined && entries.length === limit)
    io.err(`The newest ${limit} entries; --limit shows more, --since others`);
  return {
    text: entries.map(lineOf).join('\n') || 'Nothing',
    data: entries.map(({ competitionId: competition_id, requestId: request_id, ...entry }) => ({
      ...entry,
      competition_id,
      request_id,
    })),
  };
}

function lineOf(entry: Awaited<ReturnType<typeof listAudit>>[number]): string {
  const { at, account, action, competitionId, target, address, count, detail } = entry;
  const details = Object.entries(detail ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  const times = count > 1 ? `×${count}` : null;
  const parts = [at.toISOString(), account ?? '-', address ?? '-', action, competitionId, target, ...details];
  return [...parts, times].filter(Boolean).join('  ');
}

function instantOf(text: string): Date {
  const instant = new Date(text);
  if (/^\d{4}-\d\d-\d\d(T.*)?$/.test(text) && !Number.isNaN(instant.getTime())) return instant;
  throw new InvalidArgumentError('A day is like 2026-07-18, an instant like 2026-07-18T09:00:00Z.');
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('How many is a whole number above 0.');
}
