import type { Message, Note } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import * as strings from '#strings/conversations';
import { MediaList } from '../media/media-list.tsx';
import { explainError } from '../message/explain-error.ts';
import { useSenderName } from '../message/use-sender-name.ts';
import { statusLabel } from '../messages/status-badge.tsx';
import { formatDate, formatDay, formatTime } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';
import { useDay } from '../ui/use-day.ts';
import { LinkedText } from '../ui/linked-text.tsx';
import { NoteItem } from './note-item.tsx';
import type { useNotes } from './use-notes.ts';

/** The messages of a thread and the notes about it, in the order of time. */
export function ThreadMessages(props: {
  workspaceId: string;
  messages: readonly Message[];
  notes: readonly Note[];
  onEditNote: ReturnType<typeof useNotes>['edit'];
  onRemoveNote: ReturnType<typeof useNotes>['remove'];
}) {
  useDay();
  const items = mergeByTime(props.messages, props.notes);
  return (
    <ol className="space-y-3">
      {items.map((item, index) => {
        const day = formatDay(item.created_at);
        const before = items[index - 1];
        const isFirstOfDay = before === undefined || formatDay(before.created_at) !== day;
        return (
          <Fragment key={item.id}>
            {isFirstOfDay && (
              <li className="pt-2 text-center text-xs font-medium text-faint">
                <span className="print:hidden">{day}</span>
                {/* “Today” is not true of a paper for long. */}
                <span className="hidden print:inline">{formatDate(item.created_at)}</span>
              </li>
            )}
            {'direction' in item ? (
              <Bubble workspaceId={props.workspaceId} message={item} among={props.messages} />
            ) : (
              <NoteItem
                workspaceId={props.workspaceId}
                note={item}
                onEdit={(change) => props.onEditNote(item.id, change)}
                onRemove={() => props.onRemoveNote(item.id)}
              />
            )}
          </Fragment>
        );
      })}
    </ol>
  );
}

/** Notes that are older than the first message belong to messages that are not loaded yet. */
function mergeByTime(messages: readonly Message[], notes: readonly Note[]): (Message | Note)[] {
  const [first] = messages;
  const shown = notes.filter((note) => first === undefined || note.created_at >= first.created_at);
  return [...messages, ...shown].sort((a, b) =>
    a.created_at === b.created_at ? 0 : a.created_at < b.created_at ? -1 : 1,
  );
}

function Bubble(props: { workspaceId: string; message: Message; among: readonly Message[] }) {
  const { workspaceId, message, among } = props;
  const { id, direction, body, status, created_at, error_code, error_detail, scheduled_at } =
    message;
  const isOurs = direction === 'outbound';
  const hasError = (error_code ?? error_detail) !== null;
  const senderName = useSenderName();
  return (
    <li data-item className={`flex flex-col ${isOurs ? 'items-end' : 'items-start'}`}>
      <div
        className={`max-w-[min(36rem,85%)] rounded-2xl px-3.5 py-2 leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap ${
          isOurs ? 'rounded-br-md bg-accent-soft' : 'rounded-bl-md border border-line bg-surface'
        }`}
      >
        <span className="sr-only">{isOurs ? strings.by(senderName(message)) : strings.they} </span>
        <MediaList workspaceId={workspaceId} message={message} among={among} />
        {body !== '' && (
          <p dir="auto">
            <LinkedText text={body} />
          </p>
        )}
      </div>
      <p className="mt-0.5 px-1 text-xs text-faint">
        {isOurs && (
          <>
            <bdi aria-hidden>{senderName(message)}</bdi>
            {' · '}
          </>
        )}
        <Time at={created_at} style="clock" />
        {isOurs && (
          <>
            {' · '}
            <Link
              to="/w/$workspaceId/messages/$messageId"
              params={{ workspaceId, messageId: id }}
              data-status={status}
              className={`underline-offset-2 hover:underline ${hasError ? 'font-medium text-bad' : ''}`}
            >
              {status === 'scheduled' && scheduled_at !== null
                ? strings.scheduledFor(formatTime(scheduled_at))
                : statusLabel(status)}
            </Link>
          </>
        )}
      </p>
      {hasError && (
        <p className="max-w-[min(36rem,85%)] px-1 text-xs text-bad">
          {explainError(error_code).what}
        </p>
      )}
    </li>
  );
}
