import { useQuery } from '@tanstack/react-query';
import { type ReactNode, createContext, use } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { useInboxFrame, useLiveBatch } from '../live/live-context.tsx';
import { useThrottled } from './use-throttled.ts';

const REFETCH_MS = 5_000;

const UnreadContext = createContext('');

/** The number of unread open conversations as text, for example `7` or `50+`; empty if there are none. */
export const useUnread = (): string => use(UnreadContext);

export function UnreadProvider(props: { workspaceId: string; children: ReactNode }) {
  const { workspaceId, children } = props;
  const api = useApi();
  const { data, refetch } = useQuery({
    queryKey: queryKeys.unread(workspaceId),
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/conversations', {
        params: { workspaceId },
        query: { unread: 'true', state: 'open' },
      }),
  });
  const refetchSoon = useThrottled(() => void refetch(), REFETCH_MS);
  useLiveBatch(({ created }) => {
    if (created.some(({ direction }) => direction === 'inbound')) refetchSoon();
  });
  useInboxFrame(({ type }) => {
    if (type === 'conversation.updated') refetchSoon();
  });
  const count = data?.data.length ?? 0;
  const text = count === 0 ? '' : `${count}${data?.next == null ? '' : '+'}`;
  return <UnreadContext value={text}>{children}</UnreadContext>;
}
