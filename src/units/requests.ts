// Reading of requests to the unit endpoints besides their bodies, and answers of prepared text.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Invalid, type Issue } from '../errors.ts';
import { pathNumber, pathUuid } from '../http/path.ts';
import type { SavedUnit } from './saving/save-unit.ts';
import type { UnitRef } from '../addresses.ts';

type Params = { comp_id?: string; event_id?: string; round_no?: string; heat_no?: string };

/** The unit of the path. @throws NotFound when it cannot name one */
export function unitRefOf(request: FastifyRequest): UnitRef {
  const { comp_id, event_id: eventId = '', round_no, heat_no } = request.params as Params;
  return {
    competitionId: pathUuid(comp_id, 'competition'),
    eventId,
    round: pathNumber(round_no, 'unit'),
    heat: pathNumber(heat_no, 'unit'),
  };
}

/** The revisions of If-Match; null without the header and for "*". A tag that is no revision matches none. */
export function expectedRevisions(request: FastifyRequest): number[] | null {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  return header.split(',').map((tag) => Number(/^\s*(?:W\/)?"?(\d+)"?\s*$/.exec(tag)?.[1] ?? NaN));
}

/** @throws Invalid for a key that is empty or longer than 200 characters */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = String(header).trim();
  if (key !== '' && key.length <= 200) return key;
  throw new Invalid([
    { loc: ['header', 'idempotency-key'], msg: 'Must have 1 to 200 characters', type: 'value_error' },
  ]);
}

/** Sends a unit's stored text: the record, or with `around` as its member `unit`, after the members given. */
export function sendUnit(reply: FastifyReply, { text, revision }: SavedUnit, around?: object): never {
  return sendText(reply, revision, around ? withMember(JSON.stringify(around), 'unit', text) : text);
}

/** Sends a unit after its save: the stored text, with a member `warnings` when there are any. */
export const sendSavedUnit = (reply: FastifyReply, { text, revision }: SavedUnit, warnings: Issue[]): never =>
  sendText(
    reply,
    revision,
    warnings.length > 0 ? withMember(text, 'warnings', JSON.stringify(warnings)) : text,
  );

function withMember(object: string, name: string, value: string): string {
  const open = object.slice(0, -1);
  return `${open}${open === '{' ? '' : ','}"${name}":${value}}`;
}

function sendText(reply: FastifyReply, revision: number, body: string): never {
  return reply.header('etag', `"${revision}"`).type('application/json; charset=utf-8').send(body) as never;
}
