import { type Message, UNREADABLE_MEDIA } from '@switchboard/contracts';
import { useState } from 'react';
import * as strings from '#strings/media';
import { CircleAlert, Paperclip } from '../ui/icons.ts';
import { lazyDialog } from '../ui/lazy-view.tsx';
import { kindOfMedia } from './attachment.ts';
import { type ReadableMedia, listReadableMedia, toReadableMedia } from './message-media.ts';
import { Thumbnail } from './thumbnail.tsx';

// Loaded when the first file is opened: most visits open none.
const MediaViewer = lazyDialog(() =>
  import('./media-viewer.tsx').then((module) => module.MediaViewer),
);

/**
 * Shows the files of a message: thumbnails of pictures, and tiles for other files, which open in a viewer. A file
 * that the provider gave without a usable URL is a line that says so. The
 * service never fetches a file from an address that the sender gave, so such a file is only a link.
 */
export function MediaList(props: {
  workspaceId: string;
  message: Message;
  /** The messages whose files the viewer shows before and after those of this message. */
  among?: readonly Message[];
}) {
  const { workspaceId, message, among = [message] } = props;
  const [opened, setOpened] = useState<string | null>(null);
  if (message.media.length === 0) return null;
  return (
    <>
      <ul className="my-1 flex flex-wrap gap-1.5 whitespace-normal">
        {message.media.map(({ url, content_type }, index) => {
          const media = toReadableMedia(message, index);
          return (
            <li key={`${index} ${url}`} className="max-w-full">
              {media !== null ? (
                <Tile workspaceId={workspaceId} media={media} onOpen={() => setOpened(media.key)} />
              ) : url === UNREADABLE_MEDIA ? (
                <span className={`${LINE} text-soft`}>
                  <CircleAlert size={15} aria-hidden className="shrink-0 text-faint" />
                  {strings.unreadable(kindOfMedia(content_type))}
                </span>
              ) : (
                <a
                  href={url}
                  target="_blank"
                  rel="noreferrer noopener"
                  className={`${LINE} hover:bg-sunken`}
                >
                  <Paperclip size={15} aria-hidden className="shrink-0 text-faint" />
                  <span className="min-w-0 flex-1 truncate">{nameOf(url)}</span>
                  <span className="shrink-0 text-xs text-faint">{content_type ?? hostOf(url)}</span>
                </a>
              )}
            </li>
          );
        })}
      </ul>
      {opened !== null && (
        <MediaViewer
          workspaceId={workspaceId}
          items={listReadableMedia(among)}
          first={opened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

const LINE = 'flex w-full items-center gap-2 rounded-lg border border-line px-3 py-2 text-left';

function Tile(props: { workspaceId: string; media: ReadableMedia; onOpen(): void }) {
  const { workspaceId, media, onOpen } = props;
  const { source, contentType, name } = media;
  const isPicture = contentType?.startsWith('image/') === true;
  return (
    <button
      type="button"
      aria-label={strings.open(name)}
      aria-haspopup="dialog"
      className={`relative overflow-hidden rounded-lg border border-line ${isPicture ? 'size-36' : 'h-20 w-36'}`}
      onClick={onOpen}
    >
      <Thumbnail workspaceId={workspaceId} source={source} contentType={contentType} alt="" />
      {!isPicture && (
        <span className="absolute inset-x-0 bottom-0 truncate px-2 pb-1.5 text-xs text-soft">
          {name}
        </span>
      )}
    </button>
  );
}

function nameOf(url: string): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : '';
  return last === '' || last === undefined ? url : last;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
