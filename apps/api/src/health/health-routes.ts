import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';

export interface HealthDependencies {
  /** Each resolves while its part works, and rejects within a bounded time otherwise. */
  checks: Record<string, () => Promise<unknown>>;
  isShuttingDown(): boolean;
}

/** For load balancers and operators; no credential. */
export function registerHealthRoutes(app: FastifyInstance, dependencies: HealthDependencies): void {
  app.get('/health/live', async () => ({ status: 'ok' }));

  app.get('/health/ready', async (request) => {
    if (dependencies.isShuttingDown()) throw notReady('the process is shutting down');
    const names = Object.keys(dependencies.checks);
    const results = await Promise.allSettled(
      Object.values(dependencies.checks).map((run) => run()),
    );
    const failing = names.filter((name, index) => {
      const result = results[index];
      if (result?.status === 'rejected')
        request.log.warn({ err: result.reason, part: name }, 'not ready');
      return result?.status !== 'fulfilled';
    });
    if (failing.length > 0) throw notReady(`${failing.join(', ')} not available`);
    return { status: 'ok' };
  });
}

function notReady(why: string): AppError {
  return new AppError('service_unavailable', `Not ready: ${why}`, { retryAfterSeconds: 1 });
}
