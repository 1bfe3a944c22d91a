// Authentication: bearer tokens (HS256, 24 hours, of this installation), and the hook that turns one into its account.
import { fastifyJwt } from '@fastify/jwt';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { z } from 'zod';
import { shareQueries } from '../shared-queries.ts';
import type { Deps } from '../deps.ts';
import { Unauthenticated } from '../errors.ts';
import type { Actor } from './permissions.ts';
import type { TokenHolder } from './sign-in.ts';
import { loadActors } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; set by requireAccount and only there. */
    account: Actor;
  }
}

export const TOKEN_SECONDS = 86_400;
/** How far the clocks of two replicas may be apart. */
const LEEWAY_SECONDS = 300;

// A token of another program that shares the secret is signed all right, but its subject may be anything.
const claimsOf = (installation: string) =>
  z.object({
    iss: z.literal(installation),
    aud: z.literal(installation),
    sub: z.guid(),
    iat: z.number(),
    nbf: z.number().optional(),
    exp: z.number(),
    epoch: z.int(),
  });

type Claims = z.output<ReturnType<typeof claimsOf>>;
type Authenticate = (request: FastifyRequest) => Promise<Actor>;

export const authentication = fastifyPlugin<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }: { deps: Deps }) => {
    const { installationId } = deps;
    const [newest, ...older] = deps.jwtSecrets;
    await app.register(fastifyJwt, {
      secret: newest,
      sign: { algorithm: 'HS256', iss: installationId, aud: installationId },
      // The library reads the machine's clock and not ours, so times are checked in isTimely.
      verify: { algorithms: ['HS256'], ignoreExpiration: true, ignoreNotBefore: true },
    });
    const Claims = claimsOf(installationId);
    const verify = (token: string) => verifyWithAny(app, token, [NEWEST, ...older]);
    // Asked anew for every request: an account that is disabled stops at once, and so does a token that was revoked.
    const bearerOf = shareQueries((ids) => loadActors(deps.reads, ids));
    app.decorateRequest('account');
    app.decorate('authenticate', async (request: FastifyRequest) => {
      const claims = readToken(app, request, { Claims, verify, now: deps.now() });
      const bearer = await bearerOf(claims.sub);
      if (!bearer) throw new Unauthenticated('The account of this token is disabled or gone');
      const { tokenEpoch, ...actor } = bearer;
      return claims.epoch === tokenEpoch ? actor : refuse('revoked');
    });
  },
  { name: 'authentication' },
);

/** onRequest hook: lets only a valid token of a usable account pass, as `request.account`. */
export async function requireAccount(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // What an account sees, refusals too, is nobody else's: no cache keeps it.
  void reply.header('cache-control', 'no-store');
  const actor = await request.server.getDecorator<Authenticate>('authenticate')(request);
  request.account = { ...actor, origin: { address: request.ip, requestId: request.id } };
}

/** onRequest hook after requireAccount: bounds the writes of one account. @throws TooMany */
export function limitWrites(count: (key: string) => void) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') count(request.account.id);
  };
}

/** A token for the account, valid for TOKEN_SECONDS from now unless it is revoked. */
export function issueToken(app: FastifyInstance, { id, tokenEpoch }: TokenHolder, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000);
  return app.jwt.sign({ sub: id, epoch: tokenEpoch, iat, exp: iat + TOKEN_SECONDS });
}

type Reading = { Claims: ReturnType<typeof claimsOf>; verify: (token: string) => unknown; now: Date };

function readToken(app: FastifyInstance, request: FastifyRequest, { Claims, verify, now }: Reading): Claims {
  if (!request.headers.authorization) {
    throw new Unauthenticated('Not authenticated: send the header Authorization: Bearer <token>');
  }
  try {
    const claims = Claims.parse(verify(app.jwt.lookupToken(request)));
    if (isTimely(claims, now.getTime() / 1000)) return claims;
  } catch (error) {
    return refuse(error);
  }
  return refuse('expired');
}

// Nothing that is issued here begins later or lives longer: what does was made by somebody else who has the secret.
const isTimely = ({ iat, nbf = iat, exp }: Claims, nowSeconds: number) =>
  Math.max(iat, nbf) <= nowSeconds + LEEWAY_SECONDS && nowSeconds < exp && exp <= iat + TOKEN_SECONDS;

/** The secret that the library was handed: it has made a verifier of it once, and makes one of any other for each token. */
const NEWEST = null;

// While secrets are exchanged, tokens signed with the one before are about.
function verifyWithAny(app: FastifyInstance, token: string, [key, ...others]: (string | null)[]): unknown {
  try {
    return key ? app.jwt.verify(token, { key }) : app.jwt.verify(token);
  } catch (error) {
    if (others.length === 0) throw error;
    return verifyWithAny(app, token, others);
  }
}

// One message for every kind of bad token: the remedy is the same, and a forger learns nothing.
function refuse(cause: unknown): never {
  throw new Unauthenticated('Invalid or expired token: get a new one from /api/v1/auth/token', { cause });
}
