import type { MessageEvent } from '@switchboard/contracts';
import * as strings from '#strings/message';
import { statusLabel } from '../messages/status-badge.tsx';
import { formatSpan } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';
import { type EventTone, describeEvent } from './describe-event.ts';

const DOTS: Record<EventTone, string> = {
  plain: 'bg-line-strong',
  good: 'bg-good',
  bad: 'bg-bad',
  wait: 'bg-wait',
};

/** All events of a message, oldest first, with the time between them. */
export function Timeline({ events }: { events: readonly MessageEvent[] }) {
  return (
    <ol aria-label={strings.timeline} className="relative">
      {events.map((event, index) => {
        const { title, tone, detail } = describeEvent(event);
        const before = events[index - 1];
        // An event other than `status_changed` may also change the status. The title may name it.
        const status = statusLabel(event.status);
        const showsStatus =
          before !== undefined && before.status !== event.status && status !== title;
        const gapMs = before === undefined ? null : Date.parse(event.at) - Date.parse(before.at);
        return (
          <li key={event.id} className="relative pl-6">
            {gapMs !== null && (
              <p className="flex h-7 items-center text-xs text-faint tabular-nums">
                <span className="sr-only">{strings.after(formatSpan(gapMs))}</span>
                <span aria-hidden>+{formatSpan(gapMs)}</span>
              </p>
            )}
            {index > 0 && (
              <span aria-hidden className="absolute top-0 left-[5px] h-9 w-px bg-line" />
            )}
            <span
              aria-hidden
              className={`absolute left-0 size-[11px] rounded-full border-2 border-surface ${DOTS[tone]} ${gapMs === null ? 'top-1' : 'top-8'}`}
            />
            <p className="flex items-baseline justify-between gap-3">
              <span className="font-medium">
                <span>{title}</span>
                {showsStatus && <span className="font-normal text-soft"> · {status}</span>}
              </span>
              <Time at={event.at} style="precise" className="shrink-0 text-xs text-faint" />
            </p>
            {detail !== null && (
              <p className="text-[0.8125rem] [overflow-wrap:anywhere] text-soft">{detail}</p>
            )}
          </li>
        );
      })}
    </ol>
  );
}
