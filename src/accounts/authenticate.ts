// Authentication: bearer tokens (HS256, 24 hours), and the hook that turns one into the account it stands for.
import { fastifyJwt } from '@fastify/jwt';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { z } from 'zod';
import { shareQueries } from '../shared-queries.ts';
import type { Deps } from '../deps.ts';
import { Unauthenticated } from '../errors.ts';
import type { Actor } from './permissions.ts';
import { loadActors } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; set by requireAccount and only there. */
    account: Actor;
  }
}

export const TOKEN_SECONDS = 86_400;

// A token of another program that shares the secret is signed all right, but its subject may be anything.
const Claims = z.object({ sub: z.guid(), exp: z.number() });

type Authenticate = (request: FastifyRequest) => Promise<Actor>;

export const authentication = fastifyPlugin<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }: { deps: Deps }) => {
    await app.register(fastifyJwt, {
      secret: deps.jwtSecret,
      sign: { algorithm: 'HS256' },
      // The library reads the machine's clock and not ours, so expiry is checked in subjectOf.
      verify: { algorithms: ['HS256'], ignoreExpiration: true },
    });
    // Asked anew for every request: an account that is disabled stops at once.
    const actorOf = shareQueries((ids) => loadActors(deps.reads, ids));
    app.decorateRequest('account');
    app.decorate('authenticate', async (request: FastifyRequest) => {
      const actor = await actorOf(await subjectOf(request, deps.now()));
      if (!actor) throw new Unauthenticated('The account of this token is disabled or gone');
      return actor;
    });
  },
  { name: 'authentication' },
);

/** onRequest hook: lets only a valid token of a usable account pass, as `request.account`. */
export async function requireAccount(request: FastifyRequest): Promise<void> {
  request.account = await request.server.getDecorator<Authenticate>('authenticate')(request);
}

/** onRequest hook after requireAccount: bounds the writes of one account. @throws TooMany */
export function limitWrites(count: (key: string) => void) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') count(request.account.id);
  };
}

/** A token for the account, valid for TOKEN_SECONDS from now. */
export function issueToken(app: FastifyInstance, accountId: string, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000);
  return app.jwt.sign({ sub: accountId, iat, exp: iat + TOKEN_SECONDS });
}

async function subjectOf(request: FastifyRequest, now: Date): Promise<string> {
  if (!request.headers.authorization) {
    throw new Unauthenticated('Not authenticated: send the header Authorization: Bearer <token>');
  }
  const claims = Claims.safeParse(await request.jwtVerify().catch(refuse));
  if (!claims.success) return refuse(claims.error);
  if (claims.data.exp * 1000 <= now.getTime()) return refuse('expired');
  return claims.data.sub;
}

// One message for every kind of bad token: the remedy is the same, and a forger learns nothing.
function refuse(cause: unknown): never {
  throw new Unauthenticated('Invalid or expired token: get a new one from /api/v1/auth/token', { cause });
}
