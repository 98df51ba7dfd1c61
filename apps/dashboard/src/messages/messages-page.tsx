import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import * as strings from '#strings/messages';
import * as names from '#strings/names';
import { ArrowUp, Inbox, SearchX } from '../ui/icons.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useShortcuts } from '../shell/use-shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { EmptyState, LoadFailure } from '../ui/notice.tsx';
import { GettingStarted } from '../shell/getting-started.tsx';
import { useTitle } from '../ui/use-title.ts';
import { ExportButton } from './export-button.tsx';
import { ClearButton, FilterBar, FilterToggle } from './filter-bar.tsx';
import { type MessageSearch, isFiltered, readFilters } from './message-filters.ts';
import { MessageTable, type MessageTableHandle } from './message-table.tsx';
import { Pager } from './pager.tsx';
import { useCloseMessage } from './use-close-message.ts';
import { useMessagePage } from './use-message-page.ts';
import { ViewMenu } from './view-menu.tsx';

export function MessagesPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/messages' });
  const { messageId } = useParams({ strict: false });
  const search = useSearch({ from: '/signed-in/w/$workspaceId/messages' });
  const navigate = useNavigate({ from: '/w/$workspaceId/messages' });
  const filters = readFilters(search);
  const table = useRef<MessageTableHandle>(null);
  const [isFiltering, setFiltering] = useState(false);
  const filterBarId = useId();
  const { data, error, isPlaceholderData, refetch, waiting, showWaiting } = useMessagePage(
    workspaceId,
    filters,
    () => table.current?.isInteracting() ?? false,
  );
  const isOpen = messageId !== undefined;
  useTitle(names.messages);

  function showNew(): void {
    if (filters.page === 1) showWaiting();
    else void navigate({ to: '.', search: ({ page: _page, ...others }) => others });
    table.current?.scrollToTop();
  }
  const closeMessage = useCloseMessage(workspaceId);
  useShortcuts({
    close: closeMessage,
    showNew,
    filter: () => {
      // Shown synchronously, so that the next key already goes to the filter.
      flushSync(() => setFiltering(true));
      document.querySelector<HTMLElement>('[data-find]')?.focus();
    },
  });

  /** Changes filters and returns to the first page. */
  function changeSearch(change: MessageSearch): void {
    void navigate({
      to: '/w/$workspaceId/messages',
      // Starts from the current address, because changes may follow each other quickly.
      search: ({ page: _page, ...others }) =>
        Object.fromEntries(
          Object.entries({ ...others, ...change }).filter(([, value]) => value !== ''),
        ),
    });
  }

  const total = data?.pagination.totalMessages;
  const lastPage = Math.max(1, data?.pagination.totalPages ?? filters.page);
  const isBeyondLast = !isPlaceholderData && filters.page > lastPage;
  useEffect(() => {
    if (!isBeyondLast) return;
    void navigate({
      to: '/w/$workspaceId/messages',
      search: (current) => ({ ...current, page: String(lastPage) }),
      replace: true,
    });
  }, [isBeyondLast, lastPage, navigate]);
  return (
    // The filters span the page, so that opening a message makes only the list narrower.
    <section
      aria-labelledby="messages-title"
      className="@container flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <div className={isOpen ? 'hidden lg:block' : ''}>
        <div className="relative flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 md:px-5">
          <h1 id="messages-title" className="text-base font-semibold">
            {names.messages}
          </h1>
          {/* Where the buttons need the room, only the pager shows the total. */}
          <span className="text-faint tabular-nums max-sm:sr-only" data-total={total}>
            {total === undefined ? '' : formatCount(total)}
          </span>
          <div className="ml-auto flex flex-wrap items-center justify-end gap-2" aria-live="polite">
            {waiting > 0 && (
              <Button
                kind="primary"
                size="small"
                // Shown over the list: a row of its own would move the list under the finger.
                className="max-sm:absolute max-sm:top-full max-sm:left-1/2 max-sm:z-10 max-sm:mt-2 max-sm:-translate-x-1/2 max-sm:shadow-float"
                onClick={showNew}
              >
                <ArrowUp size={14} aria-hidden />
                {strings.newMessages(waiting)}
              </Button>
            )}
            <ClearButton filters={filters} className="@max-5xl:hidden" onChange={changeSearch} />
            <ViewMenu workspaceId={workspaceId} filters={filters} />
            <ExportButton workspaceId={workspaceId} filters={filters} />
            <FilterToggle
              controls={filterBarId}
              filters={filters}
              isOpen={isFiltering}
              onToggle={() => setFiltering(!isFiltering)}
            />
          </div>
        </div>
        <FilterBar
          id={filterBarId}
          filters={filters}
          isOpen={isFiltering}
          onChange={changeSearch}
        />
      </div>
      <div className="flex min-h-0 flex-1">
        <div className={`min-h-0 min-w-0 flex-1 flex-col ${isOpen ? 'hidden lg:flex' : 'flex'}`}>
          {error !== null && data === undefined ? (
            <LoadFailure error={error} onRetry={() => void refetch()} />
          ) : data?.messages.length === 0 && !isPlaceholderData && !isBeyondLast ? (
            <div className="scroller min-h-0 flex-1 border-t border-line bg-surface">
              <NoMessages
                workspaceId={workspaceId}
                filtered={isFiltered(filters)}
                onReset={() => void navigate({ to: '.', search: {} })}
              />
            </div>
          ) : (
            <MessageTable
              // The key resets the scroll position on a change of page.
              key={JSON.stringify(filters)}
              ref={table}
              messages={data?.messages}
              dimmed={isPlaceholderData}
              openId={messageId}
              onDisengage={showWaiting}
            />
          )}
          <Pager
            pagination={data?.pagination}
            filters={filters}
            shown={data?.messages.length ?? 0}
            onPage={(page) =>
              void navigate({
                to: '/w/$workspaceId/messages',
                search: { ...search, page: String(page) },
              })
            }
            onLimit={(limit) => changeSearch({ limit: String(limit) })}
          />
        </div>
        <Outlet />
      </div>
    </section>
  );
}

function NoMessages(props: { workspaceId: string; filtered: boolean; onReset(): void }) {
  if (props.filtered) {
    return (
      <EmptyState icon={<SearchX size={20} aria-hidden />} title={strings.noMatchingMessages}>
        <p className="mb-4">{strings.noMessageMatchesTheseFilters}</p>
        <Button onClick={props.onReset}>{strings.showAllMessages}</Button>
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState icon={<Inbox size={20} aria-hidden />} title={strings.noMessagesYet}>
        {strings.noMessagesYetHint}
      </EmptyState>
      <div className="mx-auto max-w-lg px-4 pb-10">
        <GettingStarted workspaceId={props.workspaceId} />
      </div>
    </>
  );
}
