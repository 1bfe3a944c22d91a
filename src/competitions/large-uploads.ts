// Large uploads from their bytes to the bytes of the answer, in the order in which routes.ts judges small ones; for a thread of its own.
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { readJson } from '../http/body.ts';
import { validate } from '../http/validation.ts';
import type { UploadAnswer, UploadJob } from '../uploads/job.ts';
import { authorizeCreation, authorizeWithin } from './access.ts';
import { createCompetition, locationOf } from './create.ts';
import { CompetitionCreate, CompetitionRecord, CompetitionUpdate, TestAnswer } from './schemas.ts';
import { testPayload } from './test-payload.ts';
import { authorizeUpdate, updateCompetition } from './update.ts';

export type UploadDeps = Pick<Deps, 'db' | 'reads' | 'now'> & {
  config: Pick<Config, 'PUBLISH_DATE_OF_BIRTH'>;
};

type Run = (deps: UploadDeps, job: UploadJob, body: unknown) => Promise<UploadAnswer>;

const RUNS: Record<UploadJob['operation'], Run> = {
  async create(deps, { actor }, body) {
    authorizeCreation(actor, body);
    const record = await createCompetition(deps, actor, judged(CompetitionCreate, body));
    return {
      status: 201,
      headers: { location: locationOf(record) },
      body: bytesOf(CompetitionRecord, record),
    };
  },
  async update(deps, { actor, competitionId }, body) {
    const id = competitionId!;
    await authorizeWithin(deps.reads, { id, actor, body }, authorizeUpdate);
    const record = await updateCompetition(deps, actor, id, judged(CompetitionUpdate, body));
    return { status: 200, headers: {}, body: bytesOf(CompetitionRecord, record) };
  },
  async test(deps, _job, body) {
    const answer = await testPayload(deps, judged(CompetitionCreate, body));
    return { status: 200, headers: {}, body: bytesOf(TestAnswer, answer) };
  },
};

/** @throws what cannot be read, what is refused, and what the verbs throw */
export const runUpload = (deps: UploadDeps, job: UploadJob, bytes: Buffer): Promise<UploadAnswer> =>
  RUNS[job.operation](deps, job, readJson(bytes));

function judged<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const found = validate(schema, body);
  if (found.error) throw found.error;
  return found.value;
}

/** An answer as it goes out. */
export const bytesOf = <Schema extends z.ZodType>(schema: Schema, answer: z.input<Schema>): Uint8Array =>
  new TextEncoder().encode(serializerCompiler({ schema, method: '', url: '' })(answer));
