import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { isWorthRepeating } from '../api/api-error.ts';

const REPEAT_MS = 5_000;

/**
 * Refetches the open queries below the keys, and those that fail again and again: live events continue after the ones that were
 * missed, so that nothing else would ever fill the gap. A refused request is not repeated.
 */
export async function refetchUntilFresh(
  client: QueryClient,
  keys: readonly QueryKey[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  const isOutdated = ({ state }: Query): boolean =>
    state.isInvalidated && state.status === 'error' && isWorthRepeating(state.error);
  const repeat = (queryKey: QueryKey): Promise<void> =>
    client.refetchQueries(
      { queryKey, type: 'active', predicate: isOutdated },
      { cancelRefetch: false },
    );
  while (
    keys.some(
      (queryKey) =>
        client.getQueryCache().findAll({ queryKey, type: 'active', predicate: isOutdated }).length >
        0,
    )
  ) {
    await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
    if (signal.aborted) return;
    await Promise.all(keys.map(repeat));
  }
}
