import { useQueries } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { queryKeys } from '../../api/query-keys.ts';

const EVERY_MS = 30_000;
const PERIODS = ['hour', 'day'] as const;

/** Queries each account's share of the messages in the last hour and the last day. */
export function useShares(workspaceId: string) {
  const api = useApi();
  const [hour, day] = useQueries({
    queries: PERIODS.map((period) => ({
      queryKey: queryKeys.shares(workspaceId, period),
      queryFn: () =>
        api.request('GET /api/ui/workspaces/{workspaceId}/routing/shares', {
          params: { workspaceId },
          query: { period },
        }),
      refetchInterval: EVERY_MS,
    })),
  });
  return { hour: hour?.data, day: day?.data };
}
