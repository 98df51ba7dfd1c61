import { type Conversation, UNREAD_MAX } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import * as strings from '#strings/conversations';
import * as names from '#strings/names';
import { useContactName } from '../contacts/contact-context.tsx';
import { useSenderName } from '../message/use-sender-name.ts';
import { formatPhone } from '../phone/format-phone.ts';
import { formatCount } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';

export const ROW_PX = 62;

export const ConversationRow = memo(function ConversationRow(props: {
  workspaceId: string;
  conversation: Conversation;
  index: number;
  /** The total number of rows, or -1 while more can be loaded. */
  setSize: number;
  /** Pixels from the top of the list. */
  start: number;
  isOpen: boolean;
}) {
  const { workspaceId, index, setSize, start, isOpen } = props;
  const { number, last_message, unread_count, assignee, state, opt_out_suspected } =
    props.conversation;
  const isUnread = unread_count > 0 && !isOpen;
  const { direction, body, media, created_at } = last_message;
  const name = useContactName(number);
  const senderName = useSenderName();
  return (
    <li
      aria-posinset={index + 1}
      aria-setsize={setSize}
      data-conversation={number}
      className="absolute inset-x-0 top-0 border-b border-line"
      style={{ height: ROW_PX, transform: `translateY(${start}px)` }}
    >
      <Link
        to="/w/$workspaceId/conversations/$number"
        params={{ workspaceId, number }}
        preload={false}
        // Computed here, because the plus sign of the number may or may not be encoded in the
        // address.
        aria-current={isOpen ? 'page' : undefined}
        className={`flex h-full flex-col justify-center px-4 outline-offset-[-2px] ${isOpen ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
      >
        <span className="flex items-baseline justify-between gap-3">
          <bdi
            className={`truncate tabular-nums ${isUnread ? 'font-bold' : 'font-medium'}`}
            title={name === null ? undefined : formatPhone(number)}
          >
            {name ?? formatPhone(number)}
          </bdi>
          <Time at={created_at} className="shrink-0 text-xs text-faint" />
        </span>
        <span className="flex gap-1 text-[0.8125rem] text-soft">
          {direction === 'outbound' && (
            <bdi className="max-w-1/2 shrink-0 truncate text-faint">
              {strings.by(senderName(last_message))}
            </bdi>
          )}
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {body === '' && media.length > 0 ? names.media : body}
          </span>
          {opt_out_suspected && (
            <span className="shrink-0 rounded-full bg-wait-soft px-1.5 text-xs leading-5 font-medium text-wait">
              {strings.optOutQuestion}
            </span>
          )}
          {state === 'closed' && (
            <span className="shrink-0 text-xs text-faint">{strings.closed}</span>
          )}
          {assignee !== null && (
            <bdi
              className="max-w-24 shrink-0 truncate text-xs text-faint"
              title={strings.assignedTo}
            >
              {assignee.name}
            </bdi>
          )}
          {isUnread && (
            <span className="shrink-0 rounded-full bg-accent px-1.5 text-xs leading-5 font-semibold text-on-accent tabular-nums">
              {names.unread({
                count:
                  unread_count >= UNREAD_MAX
                    ? strings.atLeast(UNREAD_MAX)
                    : formatCount(unread_count),
                hidden: (text) => <span className="sr-only">{text}</span>,
              })}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
});
