import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useCompose } from '../shell/compose-context.ts';
import { Button } from '../ui/button.tsx';
import { plural } from '../ui/format.ts';
import { ArrowUp, MessagesSquare, PenLine } from '../ui/icons.ts';
import { EmptyState, LoadFailure, Skeleton } from '../ui/notice.tsx';
import { ConversationRow, ROW_PX } from './conversation-row.tsx';
import { useConversations } from './use-conversations.ts';
import { useReaderAtWork } from './use-reader-at-work.ts';
import { useSettledRows } from './use-settled-rows.ts';

/** So near to the end of what is loaded, more is loaded. */
const ROWS_AHEAD = 10;

/** All numbers that the workspace has written with, live; only the rows in sight are drawn. */
export function ConversationList(props: {
  workspaceId: string;
  /** Of the open thread. */
  openNumber: string | undefined;
}) {
  const { workspaceId, openNumber } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { conversations, next, error, refetch, more } = useConversations(workspaceId);
  const isAtWork = useReaderAtWork(scroller);
  const { rows, waiting, settle } = useSettledRows(conversations ?? [], isAtWork);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.number ?? index,
    overscan: 6,
  });
  const items = virtualizer.getVirtualItems();
  const lastDrawn = items.at(-1)?.index ?? 0;
  const wanted =
    more.error === null && !more.isLoading && lastDrawn >= rows.length - ROWS_AHEAD ? next : null;
  const { load } = more;
  useEffect(() => {
    if (wanted !== null) load(wanted);
  }, [wanted, load]);

  return (
    <>
      <div className="flex min-h-14 items-center justify-between gap-3 px-4">
        <h1 id="conversations-title" className="text-base font-semibold">
          Conversations
        </h1>
        <div aria-live="polite">
          {waiting > 0 && (
            <Button
              kind="primary"
              size="small"
              onClick={() => {
                settle();
                scroller.current?.scrollTo({ top: 0 });
              }}
            >
              <ArrowUp size={14} aria-hidden />
              {plural(waiting, 'update')}
            </Button>
          )}
        </div>
      </div>
      <div
        ref={scroller}
        className="scroller min-h-0 flex-1 [overflow-anchor:none] border-t border-line"
      >
        {error !== null && conversations === undefined ? (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        ) : conversations === undefined ? (
          <div className="p-3">
            <Skeleton lines={8} height="h-14" />
          </div>
        ) : rows.length === 0 && next === null ? (
          <NoConversations />
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
        {more.isLoading && <p className="p-3 text-center text-faint">Loading…</p>}
        {more.error !== null && next !== null && (
          <LoadFailure error={more.error} onRetry={() => load(next)} />
        )}
      </div>
    </>
  );
}

function NoConversations() {
  const compose = useCompose();
  return (
    <EmptyState icon={<MessagesSquare size={20} aria-hidden />} title="No conversations yet">
      <p className="mb-4">Write to someone, or wait for someone to write.</p>
      <Button onClick={() => compose({})}>
        <PenLine size={15} aria-hidden />
        New message
      </Button>
    </EmptyState>
  );
}
