import { type ErrorCodes, type RawQuery, parseStatsQuery } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type { CountErrorCodes } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Credentials } from '../http/credentials.ts';

export interface ErrorCodesRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  countErrorCodes: CountErrorCodes;
  clock: Clock;
}

export function registerErrorCodesRoute(
  app: FastifyInstance,
  { credentials, requireMember, countErrorCodes, clock }: ErrorCodesRouteDependencies,
): void {
  app.get(
    '/api/ui/workspaces/:workspaceId/error-codes',
    { onRequest: [credentials.requireSession, requireMember] },
    async (request): Promise<ErrorCodes> => {
      const { from, to } = parseStatsQuery(request.query as RawQuery, clock.now());
      const counts = await countErrorCodes(request.membership.workspaceId, { from, to });
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        data: counts.map(({ errorCode, count, countBefore }) => ({
          error_code: errorCode,
          count,
          count_before: countBefore,
        })),
      };
    },
  );
}
