// Routes to sign in, and to ask who one is. Registered under /api/v1/auth.
import { fastifyFormbody } from '@fastify/formbody';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../deps.ts';
import { addressKey, createLimiter } from '../http/rate-limit.ts';
import { refusals } from '../http/schemas.ts';
import { directedCompetitions } from './directors-store.ts';
import { issueToken, requireAccount, TOKEN_SECONDS } from './authenticate.ts';
import { Credentials, Me, Token } from './schemas.ts';
import { signIn } from './sign-in.ts';
import { normalizeEmail } from './store.ts';

export const authRoutes: FastifyPluginAsyncZod<{ deps: Deps }> = async (app, { deps }) => {
  const perName = deps.config.RATE_LIMIT_LOGIN;
  const countName = createLimiter({ max: perName, windowMs: 60_000, now: deps.now });
  // An address may be a whole office behind one router, hence more; it bounds guessing one password for many names.
  const countAddress = createLimiter({ max: perName * 10, windowMs: 60_000, now: deps.now });

  // Here and not for the whole service: no other endpoint takes forms.
  await app.register(fastifyFormbody, { bodyLimit: 16_384 });

  app.post(
    '/token',
    {
      schema: {
        tags: ['auth'],
        security: [],
        summary: 'Get an access token, valid for 24 hours',
        description: 'Takes form fields; a JSON body with the same two fields is accepted as well.',
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        body: Credentials,
        response: { 200: Token, ...refusals(400, 401, 413, 415, 422, 429) },
      },
    },
    async (request, reply) => {
      // Counted before the password is looked at: guesses sent all at once would otherwise pass together.
      const counted = [
        countAddress(addressKey(request.ip)),
        countName(normalizeEmail(request.body.username)),
      ];
      const accountId = await signIn(deps, request.body);
      for (const giveBack of counted) giveBack();
      void reply.header('cache-control', 'no-store');
      const token = issueToken(app, accountId, deps.now());
      return { access_token: token, token_type: 'bearer' as const, expires_in: TOKEN_SECONDS };
    },
  );

  app.get(
    '/me',
    {
      onRequest: requireAccount,
      schema: {
        tags: ['auth', 'extensions'],
        summary: 'The account of this token: its groups and the competitions it directs',
        response: { 200: Me, ...refusals(401) },
      },
    },
    async ({ account }) => ({
      email: account.email,
      groups: account.groups,
      competitions: await directedCompetitions(deps.reads, account.id),
    }),
  );
};
