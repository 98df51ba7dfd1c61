import { routes } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type { CountShares } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';

const HOUR_MS = 3_600_000;
const PERIODS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;

/** Registers the route that reports each account's share of the messages. */
export function registerRoutingShareRoutes(
  registerRoute: RegisterRoute,
  { countShares, clock }: { countShares: CountShares; clock: Clock },
): void {
  registerRoute(routes.getRoutingShares, async ({ workspaceId, query: { period = 'hour' } }) => {
    const since = new Date(clock.now() - PERIODS[period]);
    const { accounts, isComplete } = await countShares(workspaceId, since);
    const total = accounts.reduce((sum, { messages }) => sum + messages, 0);
    return {
      since: since.toISOString(),
      is_complete: isComplete,
      shares: accounts.map(({ providerId, messages, delivered, failed, open }) => ({
        provider_id: providerId,
        messages,
        delivered,
        failed,
        in_progress: open,
        share: messages / total,
      })),
    };
  });
}
