import type { ConversationList } from '@switchboard/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { workspacePath } from '../api/workspace-queries.ts';
import { KEPT_LIVE } from '../live/kept-live.ts';
import { useLiveBatch, useLiveFeed } from '../live/live-context.tsx';
import { addToConversations, appendConversations } from './conversation-cache.ts';

/**
 * The conversations that are loaded, live. Not an infinite query: what happens while its next page
 * is being fetched would be overwritten by it.
 */
export function useConversations(workspaceId: string) {
  const api = useApi();
  const feed = useLiveFeed();
  const client = useQueryClient();
  const queryKey = queryKeys.conversations(workspaceId);
  const path = `${workspacePath(workspaceId)}/conversations`;
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => {
      const mark = feed.mark();
      const first = await api.get<ConversationList>(path);
      return addToConversations(first, feed.createdSince(mark));
    },
    ...KEPT_LIVE,
  });
  useLiveBatch(({ messages }) => {
    client.setQueryData<ConversationList>(
      queryKey,
      (list) => list && addToConversations(list, messages.values()),
    );
  });
  const more = useMutation({
    mutationFn: (after: string) => api.get<ConversationList>(`${path}?after=${after}`),
    onSuccess: (page, after) => {
      client.setQueryData<ConversationList>(queryKey, (list) =>
        // Its end may have been dropped meanwhile; then it goes on from elsewhere.
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
