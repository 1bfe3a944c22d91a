// Endpoints of webhooks: an account sees and changes its own. Registered under /api/v1/webhooks.
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireAccount } from '../accounts/authenticate.ts';
import type { Deps } from '../deps.ts';
import { answer } from '../http/headers.ts';
import { pathUuid, uuidSegment } from '../http/path.ts';
import { refusals } from '../http/schemas.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { changeWebhook, createWebhook, readOwn, removeWebhook, rotateSecret } from './manage.ts';
import { webhookRecord } from './records.ts';
import { WebhookRecord, webhookShapes, WebhookWithSecret } from './schemas.ts';
import { listWebhooks, type Webhook } from './store.ts';

type Options = { deps: Deps; countWrite: onRequestAsyncHookHandler };

// A URL and a few filters.
const BODY_LIMIT = 16_384;

const tags = ['webhooks', 'extensions'];
const Path = z.object({ webhook_id: uuidSegment });
const idOf = ({ webhook_id }: z.output<typeof Path>) => pathUuid(webhook_id, 'webhook');
const bodyRefusals = refusals(400, 401, 413, 415, 422, 429);

export const webhookRoutes: FastifyPluginAsyncZod<Options> = async (app, { deps, countWrite }) => {
  app.addHook('onRequest', requireAccount);
  app.addHook('onRequest', countWrite);
  await app.register(deliveryRoutes, { prefix: '/:webhook_id', deps });
  const shapes = webhookShapes(deps.config.WEBHOOK_ALLOW_PRIVATE);
  const recordOf = (webhook: Webhook) => webhookRecord(webhook, deps.now());
  const withSecret = (webhook: Webhook) => ({ ...recordOf(webhook), secret: webhook.secret });

  app.get(
    '/',
    {
      schema: {
        tags,
        operationId: 'listWebhooks',
        summary: 'The webhooks of the account',
        response: { 200: answer(z.array(WebhookRecord), 'Oldest first'), ...refusals(401) },
      },
    },
    async ({ account }) => (await listWebhooks(deps.reads, account.id)).map(recordOf),
  );

  app.post(
    '/',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        tags,
        operationId: 'createWebhook',
        summary: 'Have a receiver told of what changes from now on',
        description:
          'By the Standard Webhooks specification: each change of the feed is posted as `{type, timestamp, data}`, `data` being ' +
          'that of `GET /api/v1/changes`, signed with the secret that this answer alone shows.',
        body: shapes.create,
        response: {
          201: answer(WebhookWithSecret, 'The webhook, with its secret', ['Location']),
          ...refusals(409),
          ...bodyRefusals,
        },
      },
    },
    async ({ account, body }, reply) => {
      const webhook = await createWebhook(deps, account, body);
      void reply.code(201).header('location', `/api/v1/webhooks/${webhook.id}`);
      return withSecret(webhook);
    },
  );

  app.get(
    '/:webhook_id',
    {
      schema: {
        tags,
        operationId: 'readWebhook',
        summary: 'A webhook',
        params: Path,
        response: { 200: answer(WebhookRecord, 'It, without its secret'), ...refusals(401, 404) },
      },
    },
    async ({ account, params }) => recordOf(await readOwn(deps.reads, account, idOf(params))),
  );

  app.patch(
    '/:webhook_id',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        tags,
        operationId: 'updateWebhook',
        summary: 'Change a webhook, disable it, or enable it again from where it stopped',
        params: Path,
        body: shapes.update,
        response: {
          200: answer(WebhookRecord, 'The webhook as it is stored'),
          ...refusals(404),
          ...bodyRefusals,
        },
      },
    },
    async ({ account, params, body }) => recordOf(await changeWebhook(deps, account, idOf(params), body)),
  );

  app.delete(
    '/:webhook_id',
    {
      schema: {
        tags,
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook with its deliveries',
        params: Path,
        response: { 204: z.null().describe('Done'), ...refusals(401, 404, 429) },
      },
    },
    async ({ account, params }, reply) => {
      await removeWebhook(deps, account, idOf(params));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/:webhook_id/rotate',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        tags,
        operationId: 'changeWebhookSecret',
        summary: 'Give a webhook another secret; the one before signs as well for 24 hours',
        params: Path,
        response: {
          200: answer(WebhookWithSecret, 'The webhook, with its new secret'),
          ...refusals(401, 404, 429),
        },
      },
    },
    async ({ account, params }) => withSecret(await rotateSecret(deps, account, idOf(params))),
  );
};
