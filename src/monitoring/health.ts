// Health: /healthz says that the process answers, /readyz whether what it depends on does too.
import type { FastifyPluginAsync } from 'fastify';

export type Health = 'ok' | 'degraded' | 'down';
export type Check = { status: Health } & Record<string, unknown>;
/** A probe tells the state of one thing; one that throws is down. */
export type Probes = Record<string, () => Promise<Check>>;

const RANK: Record<Health, number> = { ok: 0, degraded: 1, down: 2 };
const PROBE_TIMEOUT_MS = 3000;

export const healthRoutes: FastifyPluginAsync<{ probes: Probes }> = async (app, { probes }) => {
  const schema = { hide: true };
  app.get('/healthz', { schema }, async () => ({ status: 'ok', checks: {} }));
  app.get('/readyz', { schema }, async (_request, reply) => {
    const checks = Object.fromEntries(
      await Promise.all(
        Object.entries(probes).map(async ([name, probe]) => [name, await ask(probe)] as const),
      ),
    );
    const status = Object.values(checks).reduce<Health>((worst, check) => worseOf(worst, check.status), 'ok');
    return reply.code(status === 'down' ? 503 : 200).send({ status, checks });
  });
};

const worseOf = (a: Health, b: Health): Health => (RANK[a] >= RANK[b] ? a : b);

async function ask(probe: () => Promise<Check>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Check>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'down', reason: 'no answer in time' }), PROBE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([probe(), late]);
  } catch {
    // What exactly failed is in the log, not for strangers.
    return { status: 'down', reason: 'not reachable' };
  } finally {
    clearTimeout(timer);
  }
}
