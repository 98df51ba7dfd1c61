import { type RawQuery, type Stats, listIntervals, parseStatsQuery } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type { CountMessages } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Credentials } from '../http/credentials.ts';

export interface StatsRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  countMessages: CountMessages;
  clock: Clock;
}

export function registerStatsRoute(
  app: FastifyInstance,
  { credentials, requireMember, countMessages, clock }: StatsRouteDependencies,
): void {
  app.get(
    '/api/ui/workspaces/:workspaceId/stats',
    { onRequest: [credentials.requireSession, requireMember] },
    async (request): Promise<Stats> => {
      const query = parseStatsQuery(request.query as RawQuery, clock.now());
      const starts = listIntervals(query);
      const found = await countMessages(request.membership.workspaceId, { ...query, starts });
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
    },
  );
}
