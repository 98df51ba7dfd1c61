import type { MessageWithEvents } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import * as strings from '#strings/message';
import { StatusBadge } from '../messages/status-badge.tsx';
import { formatFullTime, formatTime } from '../ui/format.ts';
import { useDay } from '../ui/use-day.ts';
import { RotateCcw } from '../ui/icons.ts';

const LINK = 'inline-flex min-h-6 items-center font-medium underline underline-offset-2';

/** Links a message that was sent again with its repeats, and each repeat with the first message. */
export function MessageRepeats(props: { workspaceId: string; message: MessageWithEvents }) {
  const { workspaceId, message } = props;
  useDay();
  const { repeat_of: first, repeated_as: repeats } = message;
  const linkTo = (messageId: string) =>
    ({
      to: '/w/$workspaceId/messages/$messageId',
      params: { workspaceId, messageId },
      search: true,
      className: LINK,
    }) as const;
  if (first === null && repeats.length === 0) return null;
  return (
    <section aria-label={strings.sentAgain} className="space-y-2 rounded-xl bg-sunken px-4 py-3">
      {first !== null && (
        <p className="flex items-center gap-2 text-soft">
          <RotateCcw size={15} aria-hidden className="shrink-0" />
          <span>
            {strings.repeatOf((text) => (
              <Link {...linkTo(first)}>{text}</Link>
            ))}
          </span>
        </p>
      )}
      {repeats.length > 0 && (
        <>
          <h3 className="text-xs font-semibold tracking-wide text-faint uppercase">
            {strings.sentAgain}
          </h3>
          <ul className="space-y-1">
            {repeats.map(({ id, status, created_at }) => (
              <li key={id} className="flex items-center justify-between gap-3">
                <Link {...linkTo(id)} title={formatFullTime(created_at)}>
                  {formatTime(created_at)}
                </Link>
                <StatusBadge status={status} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
