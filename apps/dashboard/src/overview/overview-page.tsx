import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import * as names from '#strings/names';
import * as strings from '#strings/overview';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { useLiveBatch } from '../live/live-context.tsx';
import { GettingStarted } from '../shell/getting-started.tsx';
import { LoadFailure, Skeleton } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';
import { DeliveryBreakdowns } from './delivery-breakdowns.tsx';
import { ErrorCodeList } from './error-code-list.tsx';
import { MessageChart } from './message-chart.tsx';
import { RANGES, rangeQuery, readRange } from './ranges.ts';
import { Totals } from './totals.tsx';

/** Limits how often live updates refetch the counts, which are expensive. */
const RECOUNT_MS = 5_000;

export function OverviewPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/overview' });
  const range = readRange(useSearch({ from: '/signed-in/w/$workspaceId/overview' }).range);
  const api = useApi();
  const client = useQueryClient();
  const params = { workspaceId };
  useTitle(names.overview);
  const statsKey = queryKeys.stats(workspaceId);
  const stats = useQuery({
    queryKey: [...statsKey, 'counts', range.id],
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/stats', {
        params,
        query: rangeQuery(range),
      }),
    placeholderData: keepPreviousData,
  });
  const delivery = useQuery({
    queryKey: [...statsKey, 'delivery', range.id],
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/delivery', {
        params,
        query: rangeQuery(range),
      }),
    placeholderData: keepPreviousData,
  });
  const errors = useQuery({
    queryKey: [...statsKey, 'errors', range.id],
    queryFn: () => {
      const { from, to } = rangeQuery(range);
      return api.request('GET /api/ui/workspaces/{workspaceId}/error-codes', {
        params,
        query: { from, to },
      });
    },
    placeholderData: keepPreviousData,
  });

  const recount = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLiveBatch(() => {
    recount.current ??= setTimeout(() => {
      recount.current = undefined;
      void client.invalidateQueries({ queryKey: statsKey });
    }, RECOUNT_MS);
  });

  return (
    <div className="scroller min-h-0 flex-1">
      <div className="mx-auto max-w-5xl space-y-5 px-4 py-5 md:px-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-base font-semibold">{names.overview}</h1>
          <nav aria-label={strings.range} className="flex gap-1 rounded-lg bg-sunken p-1">
            {RANGES.map(({ id, name }) => (
              <Link
                key={id}
                to="/w/$workspaceId/overview"
                params={{ workspaceId }}
                search={{ range: id }}
                replace
                aria-current={id === range.id ? 'page' : undefined}
                activeOptions={{ includeSearch: true }}
                className="rounded-md px-3 py-1 text-[0.8125rem] font-medium text-soft hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong"
              >
                {name}
              </Link>
            ))}
          </nav>
        </div>
        <GettingStarted workspaceId={workspaceId} quiet />
        {stats.data === undefined ? (
          stats.error === null ? (
            <Skeleton lines={2} height="h-40" />
          ) : (
            <LoadFailure error={stats.error} onRetry={() => void stats.refetch()} />
          )
        ) : (
          <>
            <Totals workspaceId={workspaceId} stats={stats.data} delivery={delivery.data} />
            <MessageChart stats={stats.data} workspaceId={workspaceId} />
          </>
        )}
        {delivery.data === undefined ? (
          delivery.error === null ? (
            <Skeleton lines={3} />
          ) : (
            <LoadFailure error={delivery.error} onRetry={() => void delivery.refetch()} />
          )
        ) : (
          <DeliveryBreakdowns workspaceId={workspaceId} delivery={delivery.data} />
        )}
        {errors.data === undefined ? (
          errors.error === null ? (
            <Skeleton lines={3} />
          ) : (
            <LoadFailure error={errors.error} onRetry={() => void errors.refetch()} />
          )
        ) : (
          <ErrorCodeList workspaceId={workspaceId} errors={errors.data} />
        )}
      </div>
    </div>
  );
}
