import { routes } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { FastifyBaseLogger } from 'fastify';
import type { RegisterRoute } from '../http/register-route.ts';

export interface HealthDependencies {
  /** Each check resolves while its component works, and rejects within a bounded time otherwise. */
  checks: Record<string, () => Promise<unknown>>;
  isShuttingDown(): boolean;
}

const HEALTHY = { status: 'ok' } as const;

/** Runs every check and returns the parts that fail, each with its error. */
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

/** Registers the health checks of load balancers and operators. */
export function registerHealthRoutes(
  registerRoute: RegisterRoute,
  dependencies: HealthDependencies,
): void {
  const config = { log: 'probe' } as const;
  registerRoute(routes.getLiveness, { config, handle: () => HEALTHY });

  async function checkReadiness(log: FastifyBaseLogger): Promise<typeof HEALTHY> {
    if (dependencies.isShuttingDown()) throw notReady('the process is shutting down');
    const failing = await findFailingParts(dependencies.checks);
    for (const { part, error } of failing) log.warn({ err: error, part }, 'not ready');
    if (failing.length > 0) {
      throw notReady(`${failing.map(({ part }) => part).join(', ')} not available`);
    }
    return HEALTHY;
  }
  registerRoute(routes.getReadiness, { config, handle: ({ log }) => checkReadiness(log) });
}

function notReady(why: string): AppError {
  return new AppError('service_unavailable', `Not ready: ${why}`, { retryAfterSeconds: 1 });
}
