import { routes, toStatsQuery } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type { CountErrorCodes } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';

export interface ErrorCodesRouteDependencies {
  countErrorCodes: CountErrorCodes;
  clock: Clock;
}

export function registerErrorCodesRoute(
  registerRoute: RegisterRoute,
  { countErrorCodes, clock }: ErrorCodesRouteDependencies,
): void {
  registerRoute(routes.getErrorCodes, async ({ workspaceId, query }) => {
    const { from, to } = toStatsQuery(query, clock.now());
    const counts = await countErrorCodes(workspaceId, { from, to });
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      data: counts.map(({ errorCode, count, countBefore }) => ({
        error_code: errorCode,
        count,
        count_before: countBefore,
      })),
    };
  });
}
