// The competition command: imports a competition from a file, by the verbs and with the rights of the API.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { Actor } from '../accounts/permissions.ts';
import { loadActor, lookUp } from '../accounts/store.ts';
import { importCompetition, type Imported } from '../competitions/import.ts';
import { CompetitionCreate } from '../competitions/schemas.ts';
import type { UploadPart } from '../competitions/upload.ts';
import { uploadWarnings } from '../competitions/warnings.ts';
import type { Db } from '../db/client.ts';
import { Conflict, OperatorError, type Issue } from '../errors.ts';
import { readJson, UnreadableBody } from '../http/body.ts';
import { validate } from '../http/validation.ts';
import { createProgress, type Progress } from './progress.ts';
import { issueLine, type Io, type Outcome, type Run } from './run.ts';

const WARNINGS_SHOWN_MAX = 50;

const EXAMPLES = `
Examples:
  npm run cli -- competition import harbour-town-open.json --as anna@example.org
  npm run --silent cli -- competition import - --as anna@example.org --json < harbour-town-open.json

The file is what POST /api/v1/competitions/ takes: one competition with its competitors, teams, relay_teams and events.
One that is there already, by "id" or by "slug", country and year, is updated: what the file holds replaces, what it does
not mention stays, and the same file again changes nothing. All of it is stored, or nothing.`;

type Options = { as: string; json?: boolean };

export function addCompetitionCommands(program: Command, run: Run, io: Io): void {
  program
    .command('competition')
    .description('competitions with their results')
    .addHelpText('after', EXAMPLES)
    .command('import')
    .description('store a competition from a JSON file')
    .argument('<file>', 'the file; - reads stdin')
    .requiredOption(
      '--as <email>',
      'the account that imports: its rights decide, and a new competition has it as director',
    )
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => {
      const progress = createProgress(io.terminal);
      try {
        const sent = check(await readFile(file, io.stdin, progress), file, progress);
        await run(options, async (deps) => {
          const actor = await actorOf(deps.db, options.as);
          const imported = await store(sent, progress, (onStored) =>
            importCompetition(deps, actor, sent, onStored),
          );
          progress.end();
          const warnings = uploadWarnings(sent, deps.config.PUBLISH_DATE_OF_BIRTH);
          tellWarnings(warnings, io);
          return outcome(imported, sent, warnings);
        });
      } finally {
        progress.end();
      }
    });
}

async function readFile(file: string, stdin: Readable, progress: Progress): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    const bytes = file === '-' ? undefined : (await stat(file)).size;
    progress.stage(`reading ${file}`, bytes);
    let read = 0;
    for await (const chunk of file === '-' ? stdin : createReadStream(file)) {
      chunks.push(Buffer.from(chunk as Buffer));
      read += (chunk as Buffer).length;
      if (bytes !== undefined) progress.reach(read);
    }
  } catch (error) {
    throw new OperatorError(`Cannot read ${file}: ${explain(error)}`, { cause: error });
  }
  return Buffer.concat(chunks);
}

const EXPLANATIONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

function explain(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return EXPLANATIONS[code] ?? message;
}

function check(bytes: Buffer, file: string, progress: Progress): CompetitionCreate {
  progress.stage('checking');
  const judged = validate(CompetitionCreate, parse(bytes, file));
  if (judged.error) throw judged.error;
  return judged.value;
}

function parse(bytes: Buffer, file: string): unknown {
  try {
    return readJson(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    throw new OperatorError(`Cannot read ${file}: ${error.message.replace('The body', 'it')}`, {
      cause: error,
    });
  }
}

/** Who imports. An operator sees at once why an account cannot. */
async function actorOf(db: Db, email: string): Promise<Actor> {
  const account = await lookUp(db, email);
  const actor = await loadActor(db, account.id);
  if (actor) return actor;
  throw new OperatorError(`The account ${account.email} is disabled; "account enable" lets it in again`);
}

async function store(
  sent: CompetitionCreate,
  progress: Progress,
  work: (onStored: (section: UploadPart) => void) => Promise<Imported>,
): Promise<Imported> {
  const sizes = sizesOf(sent);
  let stored = new Set<UploadPart>();
  progress.stage('storing', total(Object.values(sizes)));
  try {
    return await work((section) => {
      // With the record it begins, also when the transaction has to be tried again.
      stored = section === 'record' ? new Set([section]) : stored.add(section);
      progress.reach(total(Array.from(stored, (one) => sizes[one])));
    });
  } catch (error) {
    throw withRemedy(error);
  }
}

/** How much there is to store of each section; a unit is as large as what it holds. */
function sizesOf(sent: CompetitionCreate): Record<UploadPart, number> {
  const units = unitsOf(sent).map(
    ({ results, trials }) => 1 + (results?.length ?? 0) + (trials?.length ?? 0),
  );
  const { record, competitors, teams, relay_teams, events } = countsOf(sent);
  return {
    record,
    competitors,
    teams,
    relay_teams,
    events,
    units: total(units),
  };
}

const total = (sizes: number[]) => sizes.reduce((sum, size) => sum + size, 0);

const unitsOf = ({ events }: CompetitionCreate) => (events ?? []).flatMap(({ units }) => units ?? []);

function countsOf(sent: CompetitionCreate): Record<UploadPart, number> {
  return {
    record: 1,
    competitors: sent.competitors?.length ?? 0,
    teams: sent.teams?.length ?? 0,
    relay_teams: sent.relay_teams?.length ?? 0,
    events: sent.events?.length ?? 0,
    units: unitsOf(sent).length,
  };
}

type Duplicate = { error: string; override_token: string; mathing_competitions: { id: string }[] };

// The API hands its client a token; a person is told what to do with it.
function withRemedy(error: unknown): unknown {
  if (!(error instanceof Conflict) || typeof error.detail !== 'object') return error;
  const { error: reason, override_token: token, mathing_competitions: others } = error.detail as Duplicate;
  const ids = others.map(({ id }) => `"id": "${id}"`).join(' or ');
  return new OperatorError(
    `${reason}: put ${ids} into the file to update it, or "override_token": "${token}" to store a second one`,
    { cause: error },
  );
}

function tellWarnings(warnings: Issue[], io: Io): void {
  for (const warning of warnings.slice(0, WARNINGS_SHOWN_MAX)) io.err(`Warning: ${issueLine(warning)}`);
  const more = warnings.length - WARNINGS_SHOWN_MAX;
  if (more > 0) io.err(`Warning: and ${more} more ("--json" lists them)`);
}

const VERBS = { created: 'Created', updated: 'Updated', unchanged: 'Nothing new in' } as const;

function outcome({ result, record, changed }: Imported, sent: CompetitionCreate, warnings: Issue[]): Outcome {
  const path = `/x/${record.year}/${record.country_id}/${record.slug}/json/`;
  const { record: _record, ...counts } = countsOf(sent);
  const lines = [
    `${VERBS[result]} competition ${record.id} (${record.full_name})`,
    `  ${path}`,
    `  in the file: ${countsText(counts)}`,
    ...(result === 'unchanged' ? [] : [`  stored: ${countsText(changed)}`]),
  ];
  return { text: lines.join('\n'), data: { result, id: record.id, path, counts, changed, warnings } };
}

const NAMES: Record<UploadPart, [one: string, several: string]> = {
  record: ['calendar entry', 'calendar entries'],
  competitors: ['competitor', 'competitors'],
  teams: ['team', 'teams'],
  relay_teams: ['relay team', 'relay teams'],
  events: ['event', 'events'],
  units: ['unit', 'units'],
};

function countsText(counts: Partial<Record<UploadPart, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([section, count]) => `${count} ${NAMES[section as UploadPart][count === 1 ? 0 : 1]}`);
  return parts.join(', ') || 'the calendar entry alone';
}
