import { MEDIA_MAX_BYTES, MEDIA_TYPES, MEDIA_URLS_MAX } from '@switchboard/contracts';
import * as strings from '#strings/media';

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

/**
 * Returns why a file cannot be attached, as far as the browser can check; null if the file can be
 * attached.
 */
export function findAttachmentProblem(
  file: Pick<File, 'size' | 'type'>,
  others: readonly { size: number | null }[],
): string | null {
  if (others.length >= MEDIA_URLS_MAX) {
    return strings.tooManyAttachments(MEDIA_URLS_MAX);
  }
  if (file.size === 0) return strings.fileIsEmpty;
  if (file.size > MEDIA_MAX_BYTES) return strings.fileTooLarge;
  // The browser derives the type from the file name. The server checks the content, and decides.
  if (/^(text|application)\//.test(file.type) && !isDocument(file.type)) {
    return strings.fileTypeRefused;
  }
  const total = others.reduce((sum, { size }) => sum + (size ?? 0), file.size);
  return total > MEDIA_MAX_BYTES ? strings.attachmentsTooLarge : null;
}

const isDocument = (type: string): boolean =>
  Object.hasOwn(MEDIA_TYPES, type) || /vcard$|octet-stream$/.test(type);

/** Names the kind of a file. */
export function kindOfMedia(contentType: string | null): string {
  if (contentType === null) return strings.attachment;
  if (contentType.startsWith('image/')) return strings.picture;
  if (contentType.startsWith('video/')) return strings.video;
  if (contentType.startsWith('audio/')) return strings.audio;
  if (contentType === 'application/pdf') return 'PDF';
  return contentType.endsWith('vcard') ? strings.contactCard : strings.file;
}
