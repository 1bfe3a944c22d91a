// Routes to sign in, to change one's password or end one's tokens, and to ask who one is. Registered under /api/v1/auth.
import { fastifyFormbody } from '@fastify/formbody';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { createRefusals } from '../audit/refusals.ts';
import type { Deps } from '../deps.ts';
import { answer } from '../http/headers.ts';
import { oneEachTurn } from '../http/one-each-turn.ts';
import { addressKey } from '../http/rate-limit.ts';
import { refusals } from '../http/schemas.ts';
import { issueToken, requireAccount, TOKEN_SECONDS } from './authenticate.ts';
import { changePassword, revokeTokens } from './change-own.ts';
import { directedCompetitions } from './directors-store.ts';
import { createGuessCounter } from './guesses.ts';
import { createHashQueue } from './hash-queue.ts';
import type { Passwords } from './hash-thread.ts';
import { Credentials, Me, PasswordChange, Token } from './schemas.ts';
import { type Checks, signIn } from './sign-in.ts';

type Options = {
  deps: Deps;
  passwords: Passwords;
  countWrite: (request: FastifyRequest) => Promise<void>;
};

// No password is longer, and nobody has to be signed in to send one.
const BODY_LIMIT = 16_384;

const nothing = z.null().describe('Done');

export const authRoutes: FastifyPluginAsyncZod<Options> = async (app, { deps, passwords, countWrite }) => {
  const checks: Checks = {
    // Not held up by saves that wait for each other.
    db: deps.reads,
    passwords,
    countGuess: createGuessCounter({ ...deps, db: deps.reads }, deps.config.RATE_LIMIT_LOGIN),
    hashInTurn: createHashQueue(),
    noteRefusal: createRefusals({ ...deps, db: deps.reads }),
  };

  // Here and not for the whole service: no other endpoint takes forms.
  await app.register(fastifyFormbody, { bodyLimit: BODY_LIMIT });

  app.post(
    '/token',
    {
      bodyLimit: BODY_LIMIT,
      onRequest: oneEachTurn(),
      schema: {
        tags: ['auth'],
        security: [],
        operationId: 'createToken',
        summary: 'Get an access token, valid for 24 hours',
        description: 'Takes form fields; a JSON body with the same two fields is accepted as well.',
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        body: Credentials,
        response: { 200: answer(Token, 'The token'), ...refusals(400, 401, 413, 415, 422, 429) },
      },
    },
    async (request, reply) => {
      const holder = await signIn(checks, request.log, {
        ...request.body,
        address: addressKey(request.ip),
        requestId: request.id,
      });
      void reply.header('cache-control', 'no-store');
      const token = issueToken(app, holder, deps.now());
      return { access_token: token, token_type: 'bearer' as const, expires_in: TOKEN_SECONDS };
    },
  );

  app.post(
    '/password',
    {
      bodyLimit: BODY_LIMIT,
      onRequest: [requireAccount, countWrite],
      schema: {
        tags: ['auth', 'extensions'],
        operationId: 'changePassword',
        summary: 'Change the password of the account; all its tokens end, the one of this request too',
        consumes: ['application/json'],
        body: PasswordChange,
        response: { 204: nothing, ...refusals(400, 401, 413, 415, 422, 429) },
      },
    },
    async (request, reply) => {
      const { current_password: currentPassword, new_password: newPassword } = request.body;
      const change = { currentPassword, newPassword, address: addressKey(request.ip) };
      await changePassword(checks, request.log, request.account, change);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/revoke',
    {
      bodyLimit: BODY_LIMIT,
      onRequest: [requireAccount, countWrite],
      schema: {
        tags: ['auth', 'extensions'],
        operationId: 'revokeTokens',
        summary: 'End all tokens of the account, the one of this request too',
        response: { 204: nothing, ...refusals(401, 429) },
      },
    },
    async (request, reply) => {
      await revokeTokens(deps, request.log, request.account);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/me',
    {
      onRequest: requireAccount,
      schema: {
        tags: ['auth', 'extensions'],
        operationId: 'readAccount',
        summary: 'The account of this token: its groups and the competitions it directs',
        response: { 200: answer(Me, 'The account'), ...refusals(401) },
      },
    },
    async ({ account }) => ({
      email: account.email,
      groups: account.groups,
      competitions: await directedCompetitions(deps.reads, account.id),
    }),
  );
};
