/** A PNG picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const VCARD = Buffer.from('BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna\r\nEND:VCARD\r\n');

/** Creates a PNG picture of this size in bytes. */
export function createPicture(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);
}
