import { type Message, UNREADABLE_MEDIA, readMediaReference } from '@switchboard/contracts';
import * as strings from '#strings/media';
import { type MediaSource, kindOfMedia } from './attachment.ts';

/** A file of a message that the service can read: a received or an uploaded file. */
export interface ReadableMedia {
  /** Identifies the file in a thread. */
  key: string;
  source: MediaSource;
  contentType: string | null;
  /** For example `Picture 1 of 2`. */
  name: string;
  message: Message;
}

/** Lists the files of messages that the service can read, in their order. */
export function listReadableMedia(messages: readonly Message[]): ReadableMedia[] {
  return messages.flatMap((message) =>
    message.media.flatMap((_item, index) => {
      const media = toReadableMedia(message, index);
      return media === null ? [] : [media];
    }),
  );
}

/**
 * Returns null for a received file without a usable URL, and for a file at a URL: the provider fetched it, and
 * the service never does.
 */
export function toReadableMedia(message: Message, index: number): ReadableMedia | null {
  const { id, direction, media } = message;
  const item = media[index];
  const isReadable = direction === 'inbound' || readMediaReference(item?.url ?? '') !== null;
  if (item === undefined || item.url === UNREADABLE_MEDIA || !isReadable) return null;
  const kind = kindOfMedia(item.content_type);
  return {
    key: `${id} ${index}`,
    source: { messageId: id, index },
    contentType: item.content_type,
    name:
      media.length === 1
        ? kind
        : strings.oneOfFiles({ kind, position: index + 1, total: media.length }),
    message,
  };
}
