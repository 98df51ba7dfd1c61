import type { FoundMessages } from '@switchboard/contracts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useCallback, useLayoutEffect, useRef } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/conversations';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { ApiError } from '../api/api-error.ts';
import { queryKeys } from '../api/query-keys.ts';
import { LIVE_QUERY } from '../live/live-query.ts';
import { useLiveBatch, useLiveFeed } from '../live/live-context.tsx';
import { useShortcuts } from '../shell/use-shortcuts.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ChevronLeft } from '../ui/icons.ts';
import { FailureNotice, LoadFailure, Skeleton } from '../ui/notice.tsx';
import { counterpartOf } from './conversation-cache.ts';
import { ComposeArea } from './compose-area.tsx';
import { ConversationActions } from './conversation-actions.tsx';
import { type ThreadPages, addToThread, joinThread } from './thread-cache.ts';
import { KeptPlace } from './kept-place.tsx';
import { SuspectedOptOut } from './suspected-opt-out.tsx';
import { ThreadContact } from './thread-contact.tsx';
import { ThreadMessages } from './thread-messages.tsx';
import { useCloseThread } from './use-close-thread.ts';
import { useConversation, useMarkRead } from './use-conversation.ts';
import { useNotes } from './use-notes.ts';
import { usePrint } from './use-print.ts';
import { useTyping } from './use-typing.ts';
import { useMay } from '../session/use-may.tsx';

const PAGE_SIZE = 100;
const NO_MESSAGES: FoundMessages = { data: [], next: null };
/** Within this distance from its end, a thread scrolls to new messages. */
const FOLLOW_WITHIN_PX = 80;

export function Thread() {
  const { workspaceId, number } = useParams({
    from: '/signed-in/w/$workspaceId/conversations/$number',
  });
  // The key resets all state when another thread is opened.
  return <ThreadOf key={number} workspaceId={workspaceId} number={number} />;
}

function ThreadOf({ workspaceId, number }: { workspaceId: string; number: string }) {
  const api = useApi();
  const feed = useLiveFeed();
  const client = useQueryClient();
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const queryKey = queryKeys.thread(workspaceId, number);

  async function fetchPage(after: string | null): Promise<FoundMessages> {
    const page = await api
      .request('GET /api/ui/workspaces/{workspaceId}/conversations/{number}/messages', {
        params: { workspaceId, number },
        query: { limit: PAGE_SIZE, ...(after !== null && { after }) },
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'not_found') return NO_MESSAGES;
        throw error;
      });
    return { ...page, data: page.data.map(feed.latestOf) };
  }
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    {
      queryKey,
      queryFn: async ({ pageParam: after }) => {
        const mark = feed.mark();
        const page = await fetchPage(after);
        if (after !== null) return page;
        const created = feed
          .createdSince(mark)
          .filter((message) => counterpartOf(message) === number);
        const fetched: ThreadPages = { pages: [page], pageParams: [after] };
        return addToThread(fetched, created).pages[0] ?? page;
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      ...LIVE_QUERY,
    },
  );
  useLiveBatch(({ messages }) => {
    const ours = [...messages.values()].filter((message) => counterpartOf(message) === number);
    if (ours.length === 0) return;
    client.setQueryData<ThreadPages>(queryKey, (thread) => thread && addToThread(thread, ours));
  });
  const close = useCloseThread(workspaceId, number);
  useShortcuts({ close });

  async function loadAll(): Promise<void> {
    let isOlder = hasNextPage;
    while (isOlder) ({ hasNextPage: isOlder } = await fetchNextPage({ throwOnError: true }));
    await loadAllNotes();
  }
  const printing = usePrint(loadAll);

  const messages = data === undefined ? [] : joinThread(data);
  const { conversation, change, markUnread } = useConversation(workspaceId, number, close);
  const { notes, hasOlderNotes, loadAllNotes, add, edit, remove } = useNotes(workspaceId, number);
  const typing = useTyping(number);
  const mayChange = useMay('change');
  const received = messages.findLast(({ direction }) => direction === 'inbound')?.id;
  useMarkRead(workspaceId, number, mayChange ? received : undefined);
  const lastId = `${messages.at(-1)?.id} ${notes[0]?.id}`;
  useLayoutEffect(() => {
    if (isAtEnd.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [lastId]);
  // A function and not a state with the element: the cached query's function shares the scope of this
  // component, and would keep the elements of a closed thread in memory.
  const followEnd = useCallback((content: HTMLDivElement) => {
    const element = content.parentElement;
    if (element === null) return undefined;
    // A long reply or its attachments leave less height for the thread, and the reason for a
    // failure or the editor of a note makes its content longer.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTo({ top: element.scrollHeight });
    });
    observer.observe(element);
    observer.observe(content);
    return () => observer.disconnect();
  }, []);

  return (
    <section
      aria-labelledby="thread-title"
      data-thread
      className="group/thread flex min-h-0 min-w-0 flex-1 flex-col print:block"
    >
      {/* Narrow screens do not show the heading of the list. */}
      <h1 className="sr-only lg:hidden">{names.conversations}</h1>
      <header className="flex min-h-14 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 short:min-h-11 tiny:hidden md:px-5">
        <Link
          to="/w/$workspaceId/conversations"
          params={{ workspaceId }}
          aria-label={strings.backToConversations}
          className={`${buttonClass({ kind: 'quiet', size: 'icon' })} lg:hidden`}
        >
          <ChevronLeft size={18} aria-hidden />
        </Link>
        <ThreadContact workspaceId={workspaceId} number={number} />
      </header>
      {conversation !== null && (
        <ConversationActions
          workspaceId={workspaceId}
          conversation={conversation}
          change={change}
          markUnread={markUnread}
          printing={printing}
        />
      )}
      {mayChange && conversation?.opt_out_suspected === true && (
        <SuspectedOptOut workspaceId={workspaceId} conversation={conversation} change={change} />
      )}
      <div
        ref={scroller}
        className="scroller min-h-0 flex-1 print:overflow-visible px-4 py-4 short:min-h-[50cqh] short:shrink-0 short:py-2 md:px-6"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < FOLLOW_WITHIN_PX;
        }}
      >
        {error !== null && data === undefined ? (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton lines={5} height="h-16" />
        ) : (
          <div ref={followEnd}>
            {(hasNextPage || hasOlderNotes) && (
              <p className="mb-4 hidden print:block">{strings.olderIsNotPrinted}</p>
            )}
            {hasNextPage && (
              <div className="mb-4 text-center print:hidden">
                <Button
                  size="small"
                  disabled={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  {isFetchingNextPage ? actions.loading : strings.showOlderMessages}
                </Button>
                {error !== null && !isFetchingNextPage && <FailureNotice error={error} />}
              </div>
            )}
            {messages.length === 0 && (
              <p className="py-10 text-center text-soft">{strings.noMessagesYet}</p>
            )}
            <div role="log" aria-label={names.messages}>
              <KeptPlace first={messages[0]?.id}>
                <ThreadMessages
                  workspaceId={workspaceId}
                  messages={messages}
                  notes={notes}
                  onEditNote={edit}
                  onRemoveNote={remove}
                />
              </KeptPlace>
            </div>
          </div>
        )}
      </div>
      <ComposeArea
        workspaceId={workspaceId}
        number={number}
        last={data === undefined ? undefined : (messages.at(-1) ?? null)}
        loadLast={async () => {
          const loaded = await refetch({ cancelRefetch: false, throwOnError: true });
          return joinThread(loaded.data ?? { pages: [] }).at(-1) ?? null;
        }}
        isOptedOut={conversation?.opted_out === true}
        typing={typing}
        addNote={messages.length === 0 ? null : add}
        onSent={() => {
          isAtEnd.current = true;
        }}
      />
    </section>
  );
}
