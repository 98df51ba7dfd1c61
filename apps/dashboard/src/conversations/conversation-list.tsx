import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import * as actions from '#strings/actions';
import * as strings from '#strings/conversations';
import * as names from '#strings/names';
import { useCompose } from '../shell/compose-context.ts';
import { useRowKeys } from '../shell/use-row-keys.ts';
import { useShortcuts } from '../shell/use-shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { ArrowUp, AtSign, MessagesSquare, PenLine } from '../ui/icons.ts';
import { EmptyState, LoadFailure, Skeleton } from '../ui/notice.tsx';
import { DEFAULT_FILTER, isDefault } from './conversation-filter.ts';
import { ConversationRow, ROW_PX } from './conversation-row.tsx';
import { FilterTabs } from './filter-tabs.tsx';
import { MentionList } from './mention-list.tsx';
import { useConversations } from './use-conversations.ts';
import { useIsInteracting } from './use-is-interacting.ts';
import { useStableRows } from './use-stable-rows.ts';

/** The next page is loaded when the last rendered row is this close to the end. */
const PRELOAD_ROWS = 10;

/** All conversations of the workspace, live. Only visible rows are rendered. */
export function ConversationList(props: {
  workspaceId: string;
  /** The number of the open thread. */
  openNumber: string | undefined;
}) {
  const { workspaceId, openNumber } = props;
  const [filter, setFilter] = useState(DEFAULT_FILTER);
  const [showsMentions, setShowsMentions] = useState(false);
  const shownFilter = useDeferredValue(filter);
  const scroller = useRef<HTMLDivElement>(null);
  const { conversations, next, error, refetch, more } = useConversations(workspaceId, shownFilter);
  const isInteracting = useIsInteracting(scroller);
  const { rows, waiting, showLatest } = useStableRows(conversations ?? [], isInteracting);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.number ?? index,
    overscan: 6,
  });
  const items = virtualizer.getVirtualItems();
  const lastRendered = items.at(-1)?.index ?? 0;
  const nextPage =
    more.error === null && !more.isLoading && lastRendered >= rows.length - PRELOAD_ROWS
      ? next
      : null;
  const navigate = useNavigate();
  useRowKeys({
    scroller,
    attribute: 'data-conversation',
    ids: showsMentions ? [] : rows.map(({ number }) => number),
    view: 'conversations',
    scrollToIndex: (index) => virtualizer.scrollToIndex(index),
    open: (number) =>
      void navigate({
        to: '/w/$workspaceId/conversations/$number',
        params: { workspaceId, number },
        replace: true,
      }),
  });
  function showNew(): void {
    showLatest();
    scroller.current?.scrollTo({ top: 0 });
  }
  useShortcuts({
    showNew,
    filter: () => document.querySelector<HTMLElement>('[data-find]')?.focus(),
  });
  const showsUpdates = waiting > 0 && !showsMentions;
  const { load } = more;
  useEffect(() => {
    if (nextPage !== null) load(nextPage);
  }, [nextPage, load]);

  return (
    <>
      <div className="flex min-h-14 items-center justify-between gap-2 px-4">
        <h1 id="conversations-title" className="text-base font-semibold">
          {names.conversations}
        </h1>
        <div aria-live="polite" className="flex items-center gap-1">
          {showsUpdates && (
            <Button kind="primary" size="small" onClick={showNew}>
              <ArrowUp size={14} aria-hidden />
              {strings.updates(waiting)}
            </Button>
          )}
          <button
            type="button"
            aria-pressed={showsMentions}
            className="inline-flex h-8 items-center gap-1 rounded-lg px-1.5 text-[0.8125rem] font-medium text-soft hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
            onClick={() => setShowsMentions(!showsMentions)}
          >
            <AtSign size={14} aria-hidden />
            {/* Beside the updates, the narrow column has room for the icon only. */}
            <span className={showsUpdates ? 'sr-only' : ''}>{strings.mentions}</span>
          </button>
        </div>
      </div>
      {showsMentions ? (
        <div className="scroller min-h-0 flex-1 border-t border-line">
          <MentionList workspaceId={workspaceId} openNumber={openNumber} />
        </div>
      ) : (
        <FilterTabs filter={filter} onChange={setFilter} />
      )}
      <div
        ref={scroller}
        hidden={showsMentions}
        className="scroller min-h-0 flex-1 [overflow-anchor:none] border-t border-line"
      >
        {error !== null && conversations === undefined ? (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        ) : conversations === undefined ? (
          <div className="p-3">
            <Skeleton lines={8} height="h-14" />
          </div>
        ) : rows.length === 0 && next === null ? (
          <NoConversations isFiltered={!isDefault(filter)} />
        ) : (
          <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, key, start }) => {
              const conversation = rows[index];
              if (conversation === undefined) return null;
              return (
                <ConversationRow
                  key={key}
                  workspaceId={workspaceId}
                  conversation={conversation}
                  index={index}
                  setSize={next === null ? rows.length : -1}
                  start={start}
                  isOpen={conversation.number === openNumber}
                />
              );
            })}
          </ul>
        )}
        {more.isLoading && <p className="p-3 text-center text-faint">{actions.loading}</p>}
        {more.error !== null && next !== null && (
          <LoadFailure error={more.error} onRetry={() => load(next)} />
        )}
      </div>
    </>
  );
}

function NoConversations({ isFiltered }: { isFiltered: boolean }) {
  const compose = useCompose();
  if (isFiltered) {
    return (
      <EmptyState
        icon={<MessagesSquare size={20} aria-hidden />}
        title={strings.noMatchingConversations}
      />
    );
  }
  return (
    <EmptyState icon={<MessagesSquare size={20} aria-hidden />} title={strings.noConversationsYet}>
      <p className="mb-4">{strings.noConversationsHint}</p>
      {compose !== null && (
        <Button onClick={() => compose({})}>
          <PenLine size={15} aria-hidden />
          {names.newMessage}
        </Button>
      )}
    </EmptyState>
  );
}
