import { type Stats, listIntervals, routes, toStatsQuery } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type { CountMessages } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';

export interface StatsRouteDependencies {
  countMessages: CountMessages;
  clock: Clock;
}

export function registerStatsRoute(
  registerRoute: RegisterRoute,
  { countMessages, clock }: StatsRouteDependencies,
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
}
