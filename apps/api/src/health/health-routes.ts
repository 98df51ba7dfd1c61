import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';

export interface HealthDependencies {
  /** Each resolves while its part works, and rejects within a bounded time otherwise. */
  checks: Record<string, () => Promise<unknown>>;
  isShuttingDown(): boolean;
}

/** Runs every check and returns the names of the parts that fail, with what they failed with. */
export async function findFailingParts(
  checks: HealthDependencies['checks'],
): Promise<{ part: string; error: unknown }[]> {
  const parts = Object.keys(checks);
  const results = await Promise.allSettled(Object.values(checks).map((run) => run()));
  return results.flatMap((result, index) =>
    result.status === 'rejected'
      ? [{ part: parts[index] ?? '', error: result.reason as unknown }]
      : [],
  );
}

const PROBE = { config: { log: 'probe' } } as const;

/** For load balancers and operators; no credential. */
export function registerHealthRoutes(app: FastifyInstance, dependencies: HealthDependencies): void {
  app.get('/health/live', PROBE, async () => ({ status: 'ok' }));

  app.get('/health/ready', PROBE, async (request) => {
    if (dependencies.isShuttingDown()) throw notReady('the process is shutting down');
    const failing = await findFailingParts(dependencies.checks);
    for (const { part, error } of failing) request.log.warn({ err: error, part }, 'not ready');
    if (failing.length > 0) {
      throw notReady(`${failing.map(({ part }) => part).join(', ')} not available`);
    }
    return { status: 'ok' };
  });
}

function notReady(why: string): AppError {
  return new AppError('service_unavailable', `Not ready: ${why}`, { retryAfterSeconds: 1 });
}
