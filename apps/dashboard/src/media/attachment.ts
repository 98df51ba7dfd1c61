import { MEDIA_MAX_BYTES, MEDIA_TYPES, MEDIA_URLS_MAX } from '@switchboard/contracts';

/** A file of a message that is being written. */
export interface Attachment {
  /** The value for `media_urls`. */
  url: string;
  name: string;
  contentType: string | null;
  /** In bytes; null if unknown. */
  size: number | null;
}

/** An uploaded file, or a file of a message. */
export type MediaSource = { mediaId: string } | { messageId: string; index: number };

/** The value of the attribute `accept` of a file input. */
export const ACCEPTED_FILES = [
  'image/*',
  'audio/*',
  'video/*',
  ...Object.entries(MEDIA_TYPES).flatMap(([type, extension]) => [type, `.${extension}`]),
].join(',');

/** Returns why a file cannot be attached, as far as the browser knows; null if it can. */
export function findAttachmentProblem(
  file: Pick<File, 'size' | 'type'>,
  others: readonly { size: number | null }[],
): string | null {
  if (others.length >= MEDIA_URLS_MAX) {
    return `A message can have at most ${MEDIA_URLS_MAX} attachments.`;
  }
  if (file.size === 0) return 'The file is empty.';
  if (file.size > MEDIA_MAX_BYTES) return 'The file is larger than 5 MB.';
  // The browser takes the type from the name. The server reads the content, and decides.
  if (/^(text|application)\//.test(file.type) && !isDocument(file.type)) {
    return 'Files of this type can’t be sent. Choose a picture, a sound, a video, a PDF or a vCard.';
  }
  const total = others.reduce((sum, { size }) => sum + (size ?? 0), file.size);
  return total > MEDIA_MAX_BYTES ? 'The attachments may be at most 5 MB in total.' : null;
}

const isDocument = (type: string): boolean =>
  Object.hasOwn(MEDIA_TYPES, type) || /vcard$|octet-stream$/.test(type);

/** Names the kind of a file. */
export function kindOfMedia(contentType: string | null): string {
  if (contentType === null) return 'Attachment';
  if (contentType.startsWith('image/')) return 'Picture';
  if (contentType.startsWith('video/')) return 'Video';
  if (contentType.startsWith('audio/')) return 'Sound';
  if (contentType === 'application/pdf') return 'PDF';
  return contentType.endsWith('vcard') ? 'Contact card' : 'File';
}
