// Hand-over of large uploads from their routes to the thread that reads, judges and stores them; small ones pass.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LargeBody } from '../http/body.ts';
import type { Job, UploadJob } from '../uploads/job.ts';
import type { UploadThread } from '../uploads/upload-thread.ts';
import { beforeLargeBody, competitionIdOf } from './access.ts';

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Hook that answers a large body with what the thread makes of it. */
export function handingOver(thread: UploadThread, jobOf: (request: FastifyRequest) => Job): Hook {
  return async (request, reply) => {
    const { body } = request;
    if (!(body instanceof LargeBody)) return undefined;
    const answer = await thread.run(jobOf(request), body.parts);
    const { buffer, byteOffset, byteLength } = answer.body;
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .type('application/json; charset=utf-8')
      .send(Buffer.from(buffer, byteOffset, byteLength));
  };
}

/**
 * Options of a route that uploads. `authorize` is asked before a large body is read, and again of a small one when it is; of a
 * large one the thread asks.
 */
export function uploadRoute(
  thread: UploadThread,
  operation: UploadJob['operation'],
  authorize?: (request: FastifyRequest) => Promise<void>,
): { config: { largeBodiesAsBytes: true }; onRequest?: Hook; preValidation: Hook[] } {
  const handOver = handingOver(thread, (request) => ({
    operation,
    actor: request.account,
    competitionId: operation === 'update' ? competitionIdOf(request) : null,
  }));
  const config = { largeBodiesAsBytes: true } as const;
  return authorize
    ? { config, onRequest: beforeLargeBody(authorize), preValidation: [handOver, authorize] }
    : { config, preValidation: [handOver] };
}
