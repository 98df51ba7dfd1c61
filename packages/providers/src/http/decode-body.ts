import iconv from 'iconv-lite';

/** Decodes bytes of one charset. Malformed bytes become U+FFFD. */
export type Decode = (bytes: Uint8Array) => string;

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const UTF_8 = new TextDecoder();
/** Also decodes what names an unknown charset. */
export const decodeUtf8: Decode = (bytes) => UTF_8.decode(bytes);
const BYTE_ORDER_MARKS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
] as const;

/** Returns the charset that a `Content-Type` names; null if it names none. */
export function readCharset(contentType: unknown): string | null {
  return typeof contentType === 'string' ? (CHARSET.exec(contentType)?.[1] ?? null) : null;
}

/** Finds the decoder for a charset by any of its labels; null if the charset is unknown. */
export function findDecoder(charset: string): Decode | null {
  try {
    const decoder = new TextDecoder(charset);
    // Node decodes it as ISO-8859-1, without €: https://github.com/nodejs/node/issues/56542
    if (decoder.encoding === 'windows-1252')
      return (bytes) => iconv.decode(Buffer.from(bytes), decoder.encoding);
    return (bytes) => decoder.decode(bytes);
  } catch {
    // The only error of the constructor: no encoding has this label.
    return null;
  }
}

/**
 * Decodes the body of a request or a response: by its byte order mark, which is removed, otherwise by the
 * charset of its `Content-Type`, otherwise as UTF-8 (https://encoding.spec.whatwg.org/#decode).
 */
export function decodeBody(bytes: Uint8Array, contentType?: unknown): string {
  const mark = BYTE_ORDER_MARKS.find(([, start]) =>
    start.every((byte, index) => bytes[index] === byte),
  );
  const charset = mark?.[0] ?? readCharset(contentType) ?? 'utf-8';
  return (findDecoder(charset) ?? decodeUtf8)(bytes);
}
