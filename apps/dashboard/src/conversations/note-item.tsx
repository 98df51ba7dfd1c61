import type { Note } from '@switchboard/contracts';
import { formatClock, formatFullTime } from '../ui/format.ts';
import { LinkedText } from '../ui/linked-text.tsx';

/** A note between the messages of a thread. */
export function NoteItem({ note }: { note: Note }) {
  const { author, body, created_at } = note;
  return (
    <li className="flex flex-col items-center" data-note={note.id}>
      <div className="max-w-[min(36rem,95%)] rounded-xl bg-wait-soft px-3.5 py-2 leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap">
        <span className="sr-only">Note: </span>
        <p dir="auto">
          <LinkedText text={body} />
        </p>
        <p className="mt-0.5 text-xs text-soft">
          <bdi>{author?.name ?? 'A former user'}</bdi>
          {' · '}
          <time dateTime={created_at} title={formatFullTime(created_at)} className="tabular-nums">
            {formatClock(created_at)}
          </time>
        </p>
      </div>
    </li>
  );
}
