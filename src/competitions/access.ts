// Hooks that answer "does it exist" and "may you" before the body is judged: refusals come in the API's order, 404, 403, 422.
import type { FastifyRequest } from 'fastify';
import { type Actor, administersAny, mayCreate } from '../accounts/permissions.ts';
import { toIso } from '../countries.ts';
import type { Db } from '../db/client.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { isTooLarge, mayBeLarge } from '../http/body.ts';
import { pathUuid } from '../http/path.ts';
import { type Access, findAccess } from './store.ts';

type Authorize = (actor: Actor, access: Access, newCountryId: string | null) => void;

/** The competition id of the path. @throws NotFound: an id that is no UUID names nothing */
export const competitionIdOf = (request: FastifyRequest): string =>
  pathUuid((request.params as { comp_id?: string }).comp_id, 'competition');

/** preValidation hook of everything below a competition. */
export function requireCompetition(db: Db, authorize: Authorize) {
  return async (request: FastifyRequest): Promise<void> => {
    const { account: actor, body } = request;
    await authorizeWithin(db, { id: competitionIdOf(request), actor, body }, authorize);
  };
}

/** @throws NotFound; what `authorize` throws */
export async function authorizeWithin(
  db: Db,
  { id, actor, body }: { id: string; actor: Actor; body: unknown },
  authorize: Authorize,
): Promise<void> {
  authorize(actor, await accessOf(db, id), sentCountry(body));
}

/** Whose rights count. @throws NotFound */
export async function accessOf(db: Db, id: string): Promise<Access> {
  const access = await findAccess(db, id);
  if (!access) throw new NotFound(`No competition ${id}`);
  return access;
}

/**
 * onRequest hook: asks `hook` before a large body is read. With small ones the refusals keep the API's order, in which what cannot be
 * read comes first.
 */
export function beforeLargeBody(hook: (request: FastifyRequest) => Promise<void>) {
  return async (request: FastifyRequest): Promise<void> => {
    // One that is too large is refused for that, and not read either.
    if (mayBeLarge(request) && !isTooLarge(request)) await hook(request);
  };
}

/** Options of a route that refuses an invalid body in a hook of its own. One goes with the other: see judgeBodyAfter. */
export type BodyJudgement = {
  onRequest: (request: FastifyRequest) => Promise<void>;
  attachValidation: true;
  preHandler: (request: FastifyRequest) => Promise<void>;
};

/**
 * For routes whose handlers ask for the right themselves, as they read what they need: only before an invalid body is refused
 * is `hook` asked. Fastify leaves the refusal to the route, so both options belong together.
 */
export function judgeBodyAfter(hook: (request: FastifyRequest) => Promise<void>): BodyJudgement {
  return {
    onRequest: beforeLargeBody(hook),
    attachValidation: true,
    async preHandler(request) {
      if (!request.validationError) return;
      await hook(request);
      throw request.validationError;
    },
  };
}

/** preValidation hook of create. A country that cannot be read is left to validation; before the body is read it is any. */
export async function requireCreator(request: FastifyRequest): Promise<void> {
  if (request.body === undefined && !administersAny(request.account))
    throw new Forbidden('Creating a competition needs the group ADMIN_<country> of its country');
  authorizeCreation(request.account, request.body);
}

/** @throws Forbidden without the right in the country that was sent */
export function authorizeCreation(actor: Actor, body: unknown): void {
  const country = sentCountry(body);
  if (country && !mayCreate(actor, country))
    throw new Forbidden(`Creating a competition needs ADMIN_${country}`);
}

function sentCountry(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('country_id' in body)) return null;
  return typeof body.country_id === 'string' ? toIso(body.country_id.trim()) : null;
}
