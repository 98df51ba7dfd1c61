import type { ConversationList } from '@switchboard/contracts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { workspacePath } from '../api/workspace-queries.ts';
import { KEPT_LIVE } from '../live/kept-live.ts';
import { useLiveBatch, useLiveFeed } from '../live/live-context.tsx';
import { useCompose } from '../shell/compose-context.ts';
import { Button } from '../ui/button.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { formatTime } from '../ui/format.ts';
import { MessagesSquare, PenLine } from '../ui/icons.ts';
import { EmptyState, LoadFailure, Skeleton } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';
import {
  type ConversationPages,
  addToConversations,
  listConversations,
} from './conversation-cache.ts';

export function ConversationsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/conversations' });
  const { number } = useParams({ strict: false });
  const api = useApi();
  const feed = useLiveFeed();
  const client = useQueryClient();
  const compose = useCompose();
  useTitle('Conversations');
  const queryKey = queryKeys.conversations(workspaceId);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    {
      queryKey,
      queryFn: async ({ pageParam }) => {
        const mark = feed.mark();
        const after = pageParam === null ? '' : `?after=${pageParam}`;
        const page = await api.get<ConversationList>(
          `${workspacePath(workspaceId)}/conversations${after}`,
        );
        if (pageParam !== null) return page;
        const fetched = { pages: [page], pageParams: [null] };
        return addToConversations(fetched, feed.createdSince(mark)).pages[0] ?? page;
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      ...KEPT_LIVE,
    },
  );
  useLiveBatch(({ messages }) => {
    client.setQueryData<ConversationPages>(
      queryKey,
      (pages) => pages && addToConversations(pages, messages.values()),
    );
  });

  const conversations = data === undefined ? [] : listConversations(data);
  return (
    <div className="flex min-h-0 flex-1">
      <section
        aria-labelledby="conversations-title"
        className={`min-h-0 w-full flex-col border-line bg-surface lg:w-76 lg:border-r ${number === undefined ? 'flex' : 'hidden lg:flex'}`}
      >
        <h1
          id="conversations-title"
          className="flex min-h-14 items-center px-4 text-base font-semibold"
        >
          Conversations
        </h1>
        <div className="scroller min-h-0 flex-1 border-t border-line">
          {error !== null && data === undefined ? (
            <LoadFailure error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <div className="p-3">
              <Skeleton lines={8} height="h-14" />
            </div>
          ) : conversations.length === 0 && !hasNextPage ? (
            <EmptyState
              icon={<MessagesSquare size={20} aria-hidden />}
              title="No conversations yet"
            >
              <p className="mb-4">Write to someone, or wait for someone to write.</p>
              <Button onClick={() => compose({})}>
                <PenLine size={15} aria-hidden />
                New message
              </Button>
            </EmptyState>
          ) : (
            <ul>
              {conversations.map(
                ({ number: each, last_message: { direction, body, media, created_at } }) => (
                  <li key={each} className="border-b border-line">
                    <Link
                      to="/w/$workspaceId/conversations/$number"
                      params={{ workspaceId, number: each }}
                      className="block px-4 py-2.5 outline-offset-[-2px] hover:bg-sunken aria-[current=page]:bg-accent-soft"
                    >
                      <span className="flex items-baseline justify-between gap-3">
                        <span className="truncate font-medium tabular-nums">
                          {formatPhone(each)}
                        </span>
                        <time
                          dateTime={created_at}
                          className="shrink-0 text-xs text-faint tabular-nums"
                        >
                          {formatTime(created_at)}
                        </time>
                      </span>
                      <span className="block truncate text-[0.8125rem] text-soft">
                        {direction === 'outbound' && <span className="text-faint">You: </span>}
                        {body === '' && media.length > 0 ? 'Media' : body}
                      </span>
                    </Link>
                  </li>
                ),
              )}
            </ul>
          )}
          {hasNextPage && (
            <div className="p-3">
              <Button
                className="w-full justify-center"
                disabled={isFetchingNextPage}
                onClick={() => void fetchNextPage()}
              >
                {isFetchingNextPage ? 'Loading…' : 'Show more'}
              </Button>
            </div>
          )}
        </div>
      </section>
      {number === undefined ? (
        <div className="hidden flex-1 place-items-center text-soft lg:grid">
          {conversations.length > 0 && 'Choose a conversation.'}
        </div>
      ) : (
        <Outlet />
      )}
    </div>
  );
}
