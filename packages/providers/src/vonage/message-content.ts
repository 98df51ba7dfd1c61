import { findTypeOfName } from '@switchboard/core';

type MediaType = 'image' | 'audio' | 'video' | 'vcard' | 'file';

/** Returns the fields that hold the text and the media of a message. */
export function toContent(body: string, mediaUrls: readonly string[]) {
  const [first] = mediaUrls;
  if (first === undefined) return { channel: 'sms', message_type: 'text', text: body };
  const caption = body === '' ? {} : { caption: body };
  if (mediaUrls.length === 1) {
    const type = toMediaType(first);
    return { channel: 'mms', message_type: type, [type]: { url: first, ...caption } };
  }
  return {
    channel: 'mms',
    message_type: 'content',
    content: mediaUrls.map((url, index) => ({
      type: toMediaType(url),
      url,
      ...(index === 0 ? caption : {}),
    })),
  };
}

/** Vonage needs the kind of a file, which only the name in its URL shows. */
function toMediaType(url: string): MediaType {
  const type = findTypeOfName(new URL(url).pathname);
  if (type === 'text/vcard') return 'vcard';
  const kind = type?.split('/')[0] ?? 'image';
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}
