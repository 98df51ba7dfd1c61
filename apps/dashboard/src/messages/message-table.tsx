import type { Message } from '@switchboard/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import * as strings from '#strings/messages';
import * as names from '#strings/names';
import { useContactDirectory } from '../contacts/contact-context.tsx';
import { useRowKeys } from '../shell/use-row-keys.ts';
import { Skeleton } from '../ui/notice.tsx';
import { useCopiedRows } from '../ui/use-copied-rows.ts';
import { toCells } from './to-cells.ts';
import { COLUMNS, MessageRow } from './message-row.tsx';

export interface MessageTableHandle {
  /** Returns whether the user points at the rows, has focused one or has scrolled. */
  isInteracting(): boolean;
  scrollToTop(): void;
}

const WIDE_ROW_PX = 42;
const NARROW_ROW_PX = 64;
/** Narrower tables have rows with two lines. */
const WIDE_FROM_PX = 760;

export function MessageTable(props: {
  ref: Ref<MessageTableHandle>;
  messages: readonly Message[] | undefined;
  dimmed: boolean;
  openId: string | undefined;
  /** Called when the user has left the rows, so that waiting messages can be shown. */
  onDisengage(): void;
}) {
  const { messages = [], openId, onDisengage } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const pointerInside = useRef(false);
  const [isWide, setWide] = useState(true);
  const navigate = useNavigate();

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => setWide(element.clientWidth >= WIDE_FROM_PX);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const rowPx = isWide ? WIDE_ROW_PX : NARROW_ROW_PX;
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => messages[index]?.id ?? index,
    overscan: 6,
  });
  useEffect(() => virtualizer.measure(), [rowPx, virtualizer]);

  function isInteracting(): boolean {
    const element = scroller.current;
    if (element === null) return false;
    return (
      element.scrollTop > 0 || pointerInside.current || element.contains(document.activeElement)
    );
  }
  const disengage = (): void => {
    if (!isInteracting()) onDisengage();
  };

  useImperativeHandle(props.ref, () => ({
    isInteracting,
    scrollToTop: () => scroller.current?.scrollTo({ top: 0 }),
  }));

  const directory = useContactDirectory();
  useCopiedRows(scroller, {
    items: messages,
    toCells: (message) => toCells(message, (number) => directory.read(number)?.name ?? null),
    // The first row has the names of the columns.
    indexOf: (row) => Number(row.getAttribute('aria-rowindex') ?? 1) - 2,
  });
  useRowKeys({
    scroller,
    attribute: 'data-message',
    ids: messages.map(({ id }) => id),
    view: 'messages',
    scrollToIndex: (index) => virtualizer.scrollToIndex(index),
    open: (messageId) =>
      void navigate({
        to: '/w/$workspaceId/messages/$messageId',
        from: '/w/$workspaceId/messages',
        params: (params) => ({ ...params, messageId }),
        search: true,
        replace: true,
      }),
  });

  return (
    <div
      role="table"
      aria-label={names.messages}
      aria-rowcount={messages.length + 1}
      aria-busy={props.messages === undefined || props.dimmed}
      className={`flex min-h-0 flex-1 flex-col border-t border-line bg-surface ${props.dimmed ? 'opacity-60' : ''}`}
    >
      <div
        role="rowgroup"
        className={
          isWide
            ? 'shrink-0 overflow-hidden border-b border-line [scrollbar-gutter:stable]'
            : 'sr-only'
        }
      >
        <div
          role="row"
          aria-rowindex={1}
          className={`${COLUMNS} h-8 text-xs font-medium text-faint`}
        >
          {[strings.status, strings.from, strings.to, strings.message, strings.time].map((name) => (
            <span key={name} role="columnheader" className="last:text-right">
              {name}
            </span>
          ))}
        </div>
      </div>
      <div
        ref={scroller}
        role="rowgroup"
        data-rows
        className="scroller min-h-0 flex-1 [overflow-anchor:none] [scrollbar-gutter:stable]"
        onPointerEnter={() => {
          pointerInside.current = true;
        }}
        onPointerLeave={() => {
          pointerInside.current = false;
          disengage();
        }}
        onScroll={(event) => {
          if (event.currentTarget.scrollTop === 0) disengage();
        }}
        onBlur={() => setTimeout(disengage)}
      >
        {props.messages === undefined ? (
          <div role="row" className="p-4">
            <div role="cell">
              <Skeleton lines={12} height={isWide ? 'h-8' : 'h-12'} />
            </div>
          </div>
        ) : (
          <Height px={virtualizer.getTotalSize()}>
            {virtualizer.getVirtualItems().map(({ index, key, start }) => {
              const message = messages[index];
              if (message === undefined) return null;
              return (
                <MessageRow
                  key={key}
                  message={message}
                  index={index}
                  start={start}
                  height={rowPx}
                  isWide={isWide}
                  isOpen={message.id === openId}
                />
              );
            })}
          </Height>
        )}
      </div>
    </div>
  );
}

function Height({ px, children }: { px: number; children: React.ReactNode }) {
  return (
    <div role="presentation" className="relative" style={{ height: px }}>
      {children}
    </div>
  );
}
