import type { ConversationList, Message } from '@switchboard/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { meQuery } from '../api/workspace-queries.ts';
import { LIVE_QUERY } from '../live/live-query.ts';
import { useInboxFrame, useLiveBatch, useLiveFeed } from '../live/live-context.tsx';
import {
  addToConversations,
  appendConversations,
  counterpartOf,
  putConversation,
} from './conversation-cache.ts';
import {
  type ConversationFilter,
  isListed,
  listsEveryReceived,
  toQuery,
} from './conversation-filter.ts';
import { useThrottled } from './use-throttled.ts';

/** A list that may lack conversations is fetched again at most this often. */
const REFETCH_MS = 3_000;

/**
 * Queries conversations and updates them live. It does not use an infinite query, because that
 * overwrites live updates that arrive while the next page is loading.
 */
export function useConversations(workspaceId: string, filter: ConversationFilter) {
  const api = useApi();
  const feed = useLiveFeed();
  const client = useQueryClient();
  const ownId = useQuery(meQuery(api)).data?.user.id;
  const query = toQuery(filter);
  const queryKey = [...queryKeys.conversations(workspaceId), query];
  // A message of an unlisted conversation shows neither the assignee nor whether the conversation
  // is closed.
  const isAdded = ({ direction }: Message): boolean =>
    listsEveryReceived(filter) && (direction === 'inbound' || filter.state === 'all');
  const fetchPage = (page: { after?: string }) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/conversations', {
      params: { workspaceId },
      query: { ...query, ...page },
    });

  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => {
      const mark = feed.mark();
      const first = await fetchPage({});
      return addToConversations(first, feed.createdSince(mark), isAdded);
    },
    ...LIVE_QUERY,
  });
  const update = (change: (list: ConversationList) => ConversationList): void =>
    void client.setQueryData<ConversationList>(queryKey, (list) => list && change(list));
  const refetchSoon = useThrottled(() => void refetch(), REFETCH_MS);
  /** Whether the list lacks a conversation that it would show above its last loaded one. */
  const isMissing = (number: string | null, lastMessage: Message): boolean =>
    data !== undefined &&
    !data.data.some((each) => each.number === number) &&
    (data.next === null || lastMessage.id > (data.data.at(-1)?.last_message.id ?? ''));

  useLiveBatch(({ messages, created }) => {
    const lacksOne = created.some(
      (message) => !isAdded(message) && isMissing(counterpartOf(message), message),
    );
    if (lacksOne) refetchSoon();
    update((list) => {
      const added = addToConversations(list, messages.values(), isAdded);
      const listed = added.data.filter((each) => isListed(each, filter, ownId));
      return listed.length === added.data.length ? added : { ...added, data: listed };
    });
  });
  useInboxFrame((frame) => {
    if (frame.type !== 'conversation.updated') return;
    const { conversation } = frame;
    const { number, last_message } = conversation;
    const belongs = isListed(conversation, filter, ownId);
    if (belongs && isMissing(number, last_message)) refetchSoon();
    else update((list) => putConversation(list, conversation, belongs));
  });

  const more = useMutation({
    mutationFn: (after: string) => fetchPage({ after }),
    onSuccess: (page, after) => {
      update((list) =>
        // Live updates may have dropped the end of the list, so that this page no longer follows.
        list.next === after ? appendConversations(list, page) : list,
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
