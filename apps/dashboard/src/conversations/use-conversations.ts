import type { ConversationList } from '@switchboard/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { LIVE_QUERY } from '../live/live-query.ts';
import { useLiveBatch, useLiveFeed } from '../live/live-context.tsx';
import { addToConversations, appendConversations } from './conversation-cache.ts';

/**
 * Queries the conversations and updates them live. It does not use an infinite query, because that
 * overwrites live updates that arrive while the next page is loading.
 */
export function useConversations(workspaceId: string) {
  const api = useApi();
  const feed = useLiveFeed();
  const client = useQueryClient();
  const queryKey = queryKeys.conversations(workspaceId);
  const fetchPage = (query: { after?: string }) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/conversations', {
      params: { workspaceId },
      query,
    });
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => {
      const mark = feed.mark();
      const first = await fetchPage({});
      return addToConversations(first, feed.createdSince(mark));
    },
    ...LIVE_QUERY,
  });
  useLiveBatch(({ messages }) => {
    client.setQueryData<ConversationList>(
      queryKey,
      (list) => list && addToConversations(list, messages.values()),
    );
  });
  const more = useMutation({
    mutationFn: (after: string) => fetchPage({ after }),
    onSuccess: (page, after) => {
      client.setQueryData<ConversationList>(queryKey, (list) =>
        // Live updates may have dropped the end of the list, so that this page no longer follows.
        list?.next === after ? appendConversations(list, page) : list,
      );
    },
  });
  return {
    conversations: data?.data,
    next: data?.next ?? null,
    error,
    refetch,
    more: { load: more.mutate, isLoading: more.isPending, error: more.error },
  };
}
