const REFERENCE = /^media:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * The address of a file of a received message for which the provider gave no usable URL. The file cannot be
 * read, but the message shows that there was one.
 */
export const UNREADABLE_MEDIA = 'media:unreadable';

/**
 * Returns the address of an uploaded file in messages. It never expires and gives no access: the
 * worker replaces it with a signed URL when it calls the provider, and clients read the file with
 * their credential.
 */
export function toMediaReference(mediaId: string): string {
  return `media:${mediaId}`;
}

/**
 * Returns the id of the uploaded file to which an address in a message refers; null for any other
 * address.
 */
export function readMediaReference(address: string): string | null {
  return REFERENCE.exec(address)?.[1] ?? null;
}
