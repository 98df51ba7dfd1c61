import type { Message } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import * as strings from '#strings/messages';
import { ArrowDownLeft, ArrowUpRight, CalendarClock, Paperclip } from '../ui/icons.ts';
import { memo } from 'react';
import { useContactName } from '../contacts/contact-context.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { Time } from '../ui/time.tsx';
import { StatusBadge, statusLabel } from './status-badge.tsx';

export const COLUMNS =
  'grid grid-cols-[9.5rem_9.5rem_9.5rem_minmax(0,1fr)_6.5rem] items-center gap-3 px-4 md:px-5';

interface Props {
  message: Message;
  index: number;
  /** Pixels from the top of the list. */
  start: number;
  height: number;
  isWide: boolean;
  isOpen: boolean;
}

/** The link covers the row, so that the row is one target for pointer and keyboard. */
export const MessageRow = memo(function MessageRow(props: Props) {
  const { message, index, start, height, isWide, isOpen } = props;
  const Cells = isWide ? WideCells : NarrowCells;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-message={message.id}
      className={`absolute inset-x-0 top-0 border-b border-line ${isOpen ? 'bg-accent-soft' : 'hover:bg-sunken'} ${
        isWide ? COLUMNS : 'flex flex-col justify-center gap-1 px-4'
      }`}
      style={{ height, transform: `translateY(${start}px)` }}
    >
      <Cells message={message} />
    </div>
  );
});

function WideCells({ message }: { message: Message }) {
  return (
    <>
      <span role="cell" className="flex items-center gap-2">
        <StatusBadge status={message.status} />
        {message.error_code !== null && <ErrorCode code={message.error_code} />}
      </span>
      <span role="cell" className="truncate tabular-nums">
        {message.direction === 'inbound' ? (
          <Open message={message} />
        ) : (
          <Own number={message.from} />
        )}
      </span>
      <span role="cell" className="truncate tabular-nums">
        {message.direction === 'outbound' ? (
          <Open message={message} />
        ) : (
          <Own number={message.to} />
        )}
      </span>
      <span role="cell" className="flex min-w-0 items-center gap-2 text-soft">
        <Body message={message} />
      </span>
      <span role="cell" className="text-right text-[0.8125rem] text-faint tabular-nums">
        <Time at={message.created_at} />
      </span>
    </>
  );
}

/** Shows the cells in two lines. */
function NarrowCells({ message }: { message: Message }) {
  return (
    <>
      <span role="presentation" className="flex items-baseline justify-between gap-3">
        <span role="cell" className="min-w-0 truncate tabular-nums">
          <Open message={message} />
        </span>
        <span role="cell" className="shrink-0 text-xs text-faint tabular-nums">
          <Time at={message.created_at} />
        </span>
      </span>
      <span role="presentation" className="flex items-center justify-between gap-3">
        <span
          role="cell"
          className="flex min-w-0 items-center gap-2 truncate text-[0.8125rem] text-soft"
        >
          <Body message={message} />
        </span>
        <span role="cell" className="shrink-0">
          <StatusBadge status={message.status} />
        </span>
      </span>
    </>
  );
}

/** A link with the number of the other party, which opens the message. */
function Open({ message }: { message: Message }) {
  const inbound = message.direction === 'inbound';
  const number = (inbound ? message.from : message.to) ?? '';
  const name = useContactName(number);
  const Arrow = inbound ? ArrowDownLeft : ArrowUpRight;
  return (
    <Link
      to="/w/$workspaceId/messages/$messageId"
      from="/w/$workspaceId/messages"
      params={(current) => ({ ...current, messageId: message.id })}
      search
      preload={false}
      // Dragging selects rows, which can be copied as a table.
      draggable={false}
      aria-label={(inbound ? strings.rowFrom : strings.rowTo)({
        who: [...(name === null ? [] : [name]), formatPhone(number)].join(', '),
        status: statusLabel(message.status),
      })}
      title={name === null ? undefined : formatPhone(number)}
      className="inline-flex max-w-full items-center gap-1.5 align-middle font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      <Arrow size={15} aria-hidden className={inbound ? 'text-received' : 'text-faint'} />
      <bdi className="truncate">{name ?? formatPhone(number)}</bdi>
    </Link>
  );
}

function Own({ number }: { number: string | null }) {
  return (
    <span className="inline-flex items-center align-middle text-soft">
      {number === null ? strings.notChosenYet : formatPhone(number)}
    </span>
  );
}

function ErrorCode({ code }: { code: string }) {
  // The message panel explains the code.
  return (
    <span className="truncate text-xs text-bad tabular-nums">{code.replaceAll('_', ' ')}</span>
  );
}

function Body({ message: { body, media, status, scheduled_at } }: { message: Message }) {
  return (
    <>
      {status === 'scheduled' && scheduled_at !== null && (
        <span className="inline-flex shrink-0 items-center gap-1 text-xs text-wait">
          <CalendarClock size={13} aria-hidden />
          {strings.willBeSent({
            hidden: (text) => <span className="sr-only">{text}</span>,
            time: <Time at={scheduled_at} />,
          })}
        </span>
      )}
      {media.length > 0 && (
        <span className="inline-flex shrink-0 items-center gap-0.5 text-xs text-faint">
          <Paperclip size={13} aria-hidden />
          <span className="sr-only">{strings.attached(media.length)}</span>
          <span aria-hidden>{media.length}</span>
        </span>
      )}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {body}
      </span>
    </>
  );
}
