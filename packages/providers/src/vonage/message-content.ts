type MediaType = 'image' | 'audio' | 'video' | 'vcard' | 'file';

const TYPES: ReadonlyMap<string, MediaType> = new Map([
  ...(['jpg', 'jpeg', 'png', 'gif'] as const).map((name) => [name, 'image'] as const),
  ...(['mp3', 'amr', 'wav', 'aac', 'm4a', 'ogg'] as const).map((name) => [name, 'audio'] as const),
  ...(['mp4', '3gp', '3g2', 'mpeg', 'webm', 'mov'] as const).map(
    (name) => [name, 'video'] as const,
  ),
  ['vcf', 'vcard'],
  ['pdf', 'file'],
]);

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

/** Vonage needs the type of a file, which only the name in its URL shows. */
function toMediaType(url: string): MediaType {
  const extension = /\.([a-z0-9]+)$/i.exec(new URL(url).pathname)?.[1] ?? '';
  return TYPES.get(extension.toLowerCase()) ?? 'image';
}
