import {
  ERASED,
  type Message,
  type MessageWithEvents,
  isFinalStatus,
} from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import * as erasing from '#strings/erasing';
import * as strings from '#strings/message';
import * as names from '#strings/names';
import { MediaList } from '../media/media-list.tsx';
import { formatFullTime } from '../ui/format.ts';
import { CalendarClock, SearchX, X } from '../ui/icons.ts';
import { useEffect, useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { ApiError } from '../api/api-error.ts';
import { queryKeys } from '../api/query-keys.ts';
import { counterpartOf } from '../conversations/conversation-cache.ts';
import { StatusBadge } from '../messages/status-badge.tsx';
import { useCloseMessage } from '../messages/use-close-message.ts';
import { useContactName } from '../contacts/contact-context.tsx';
import { Button } from '../ui/button.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { EmptyState, LoadFailure, Skeleton } from '../ui/notice.tsx';
import { ErrorBox } from './error-box.tsx';
import { MessageActions } from './message-actions.tsx';
import { MessageFacts } from './message-facts.tsx';
import { MessageRepeats } from './message-repeats.tsx';
import { Timeline } from './timeline.tsx';

/** Some events of a message are not sent live, for example the start of an attempt. */
const UNFINISHED_REFETCH_MS = 2_000;

export function MessagePanel() {
  const { workspaceId, messageId } = useParams({
    from: '/signed-in/w/$workspaceId/messages/$messageId',
  });
  const api = useApi();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.message(workspaceId, messageId),
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/messages/{messageId}', {
        params: { workspaceId, messageId },
      }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnfinished(state.data) ? UNFINISHED_REFETCH_MS : false,
  });

  const contactName = useContactName(data === undefined ? null : counterpartOf(data));
  const close = useCloseMessage(workspaceId);
  useEffect(() => {
    // On narrow screens, the panel replaces the list, including the row that had the focus.
    if (
      document.activeElement === document.body ||
      document.activeElement?.checkVisibility() === false
    ) {
      heading.current?.focus();
    }
  }, [messageId]);

  return (
    <aside
      aria-label={strings.message}
      className="flex min-h-0 w-full shrink-0 flex-col border-line bg-surface lg:w-104 lg:border-t lg:border-l"
    >
      {/* Narrow screens do not show the heading of the list. */}
      <h1 className="sr-only lg:hidden">{names.messages}</h1>
      <header className="flex min-h-14 items-center gap-3 border-b border-line px-4">
        <h2
          ref={heading}
          tabIndex={-1}
          className="min-w-0 flex-1 truncate font-semibold outline-none"
        >
          {data === undefined ? strings.message : titleOf(data, contactName)}
        </h2>
        {data !== undefined && <StatusBadge status={data.status} />}
        <Button
          kind="quiet"
          size="icon"
          className="-mr-2"
          aria-label={strings.closeMessage}
          onClick={close}
        >
          <X size={18} aria-hidden />
        </Button>
      </header>
      <div className="scroller min-h-0 flex-1 p-4">
        {error !== null && data === undefined ? (
          error instanceof ApiError && error.code === 'not_found' ? (
            <Missing onClose={close} />
          ) : (
            <LoadFailure error={error} onRetry={() => void refetch()} />
          )
        ) : data === undefined ? (
          <Skeleton lines={6} height="h-12" />
        ) : (
          <Content workspaceId={workspaceId} message={data} />
        )}
      </div>
    </aside>
  );
}

function Missing({ onClose }: { onClose(): void }) {
  return (
    <div role="alert">
      <EmptyState icon={<SearchX size={20} aria-hidden />} title={strings.messageMissing}>
        <p className="mb-4">{strings.messageMissingHint}</p>
        <Button onClick={onClose}>{strings.backToMessages}</Button>
      </EmptyState>
    </div>
  );
}

function Content(props: { workspaceId: string; message: MessageWithEvents }) {
  const { workspaceId, message } = props;
  return (
    <div className="space-y-5">
      {(message.error_code ?? message.error_detail) !== null && (
        <ErrorBox
          workspaceId={workspaceId}
          code={message.error_code}
          detail={message.error_detail}
        />
      )}
      {message.status === 'scheduled' && message.scheduled_at !== null && (
        <p className="flex items-center gap-2 rounded-xl bg-wait-soft px-4 py-3 font-medium text-wait">
          <CalendarClock size={17} aria-hidden className="shrink-0" />
          {strings.willBeSent(formatFullTime(message.scheduled_at))}
        </p>
      )}
      <section aria-label={strings.text}>
        {message.body !== '' && (
          <p
            dir="auto"
            className="rounded-xl bg-sunken px-4 py-3 text-[0.9375rem] leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap"
          >
            {message.body}
          </p>
        )}
        <MediaList workspaceId={workspaceId} message={message} />
      </section>
      {counterpartOf(message) === ERASED ? (
        <p className="rounded-xl bg-sunken px-4 py-3 text-soft">{erasing.messageErased}</p>
      ) : (
        <MessageActions key={message.id} workspaceId={workspaceId} message={message} />
      )}
      <MessageRepeats workspaceId={workspaceId} message={message} />
      <section aria-labelledby="timeline-title">
        <h3
          id="timeline-title"
          className="mb-2 text-xs font-semibold tracking-wide text-faint uppercase"
        >
          {strings.timeline}
        </h3>
        <Timeline events={message.events} />
      </section>
      <MessageFacts message={message} />
    </div>
  );
}

function titleOf(message: Message, contactName: string | null): string {
  const other = contactName ?? formatPhone(counterpartOf(message) ?? '');
  return message.direction === 'inbound' ? strings.fromNamed(other) : strings.toNamed(other);
}

function isUnfinished({ direction, status }: Message): boolean {
  return direction === 'outbound' && status !== 'scheduled' && !isFinalStatus(status);
}
