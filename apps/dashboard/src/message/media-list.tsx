import type { Message } from '@switchboard/contracts';
import { Paperclip } from '../ui/icons.ts';

/** As links only: to load what a stranger has sent would tell them that, and where, it is read. */
export function MediaList({ media }: Pick<Message, 'media'>) {
  if (media.length === 0) return null;
  return (
    <ul className="mt-2 space-y-1">
      {media.map(({ url, content_type }) => (
        <li key={url}>
          <a
            href={url}
            target="_blank"
            rel="noreferrer noopener"
            className="flex items-center gap-2 rounded-lg border border-line px-3 py-2 hover:bg-sunken"
          >
            <Paperclip size={15} aria-hidden className="shrink-0 text-faint" />
            <span className="min-w-0 flex-1 truncate">{nameOf(url)}</span>
            <span className="shrink-0 text-xs text-faint">{content_type ?? hostOf(url)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function nameOf(url: string): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : '';
  return last === '' || last === undefined ? url : decodeURIComponent(last);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
