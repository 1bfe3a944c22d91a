// Endpoints of a webhook's deliveries: what was sent and what came of it, a ping, and the same once more. Registered under
// /api/v1/webhooks/:webhook_id, whose hooks they have.
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { answer } from '../http/headers.ts';
import { pathUuid, uuidSegment } from '../http/path.ts';
import { refusals } from '../http/schemas.ts';
import { listDeliveries } from './deliveries-store.ts';
import { readOwn } from './manage.ts';
import { deliveryRecord } from './records.ts';
import { DeliveriesQuery, DeliveryRecord } from './schemas.ts';
import { ping, redeliver } from './send-by-hand.ts';

const BODY_LIMIT = 16_384;

const tags = ['webhooks', 'extensions'];
const Path = z.object({ webhook_id: uuidSegment });
const DeliveryPath = z.object({ webhook_id: uuidSegment, delivery_id: uuidSegment });
const idOf = ({ webhook_id }: z.output<typeof Path>) => pathUuid(webhook_id, 'webhook');
const queued = {
  202: answer(DeliveryRecord, 'It goes out at once'),
  ...refusals(401, 404, 409, 429),
};

export const deliveryRoutes: FastifyPluginAsyncZod<{ deps: Deps }> = async (app, { deps }) => {
  app.get(
    '/deliveries',
    {
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'What was sent to a webhook or waits to be, newest first',
        description: 'What does not wait any more is kept for 30 days, of a webhook the newest thousand.',
        params: Path,
        querystring: DeliveriesQuery,
        response: {
          200: answer(z.array(DeliveryRecord), 'The deliveries', ['X-Total-Count']),
          ...refusals(401, 404, 422),
        },
      },
    },
    async ({ account, params, query }, reply) => {
      const { id } = await readOwn(deps.reads, account, idOf(params));
      const { total, deliveries } = await listDeliveries(deps.reads, id, query);
      void reply.header('x-total-count', total);
      return deliveries.map(deliveryRecord);
    },
  );

  app.post(
    '/deliveries/:delivery_id/redeliver',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        tags,
        operationId: 'createRedelivery',
        summary: 'Send a delivery once more, with the same webhook-id',
        params: DeliveryPath,
        response: queued,
      },
    },
    async ({ account, params }, reply) => {
      const asked = { id: idOf(params), deliveryId: pathUuid(params.delivery_id, 'delivery') };
      const delivery = await redeliver(deps, account, asked);
      return reply.code(202).send(deliveryRecord(delivery));
    },
  );

  app.post(
    '/ping',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        tags,
        operationId: 'pingWebhook',
        summary: 'Send a message of the type ping',
        params: Path,
        response: queued,
      },
    },
    async ({ account, params }, reply) => {
      const delivery = await ping(deps, account, idOf(params));
      return reply.code(202).send(deliveryRecord(delivery));
    },
  );
};
