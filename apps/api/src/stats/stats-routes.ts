import { type Stats, listIntervals, routes, toStatsQuery } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type { CountDeliveries, CountErrorCodes, CountMessages } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { compareDeliveries } from './compare-deliveries.ts';

export interface StatsRouteDependencies {
  countMessages: CountMessages;
  countDeliveries: CountDeliveries;
  countErrorCodes: CountErrorCodes;
  clock: Clock;
}

export function registerStatsRoutes(
  registerRoute: RegisterRoute,
  { countMessages, countDeliveries, countErrorCodes, clock }: StatsRouteDependencies,
): void {
  registerRoute(routes.getStats, async ({ workspaceId, query: given }) => {
    const query = toStatsQuery(given, clock.now());
    const starts = listIntervals(query);
    const found = await countMessages(workspaceId, { ...query, starts });
    const data = starts.map((start) => ({
      start: start.toISOString(),
      counts: [] as Stats['data'][number]['counts'],
    }));
    for (const { index, direction, status, count } of found) {
      data[index]?.counts.push({ direction, status, count });
    }
    return {
      interval: query.interval,
      from: query.from.toISOString(),
      to: query.to.toISOString(),
      data,
    };
  });

  registerRoute(routes.getDelivery, ({ workspaceId, query }) =>
    compareDeliveries(countDeliveries, workspaceId, toStatsQuery(query, clock.now())),
  );

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
