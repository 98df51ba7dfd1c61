import iconv from 'iconv-lite';
import { findDecoder } from '../http/decode-body.ts';

const ASCII = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)).join('');

/**
 * Returns whether requests can be written in a charset. It contains ASCII, because names, separators and JSON
 * are ASCII in every charset.
 */
export function isWritable(charset: string): boolean {
  return (
    findDecoder(charset) !== null &&
    iconv.encodingExists(charset) &&
    iconv.encode(ASCII, charset).equals(Buffer.from(ASCII))
  );
}

/** Encodes a text; null if the charset lacks one of its characters. */
export function encodeText(text: string, charset: string): Buffer | null {
  const bytes = iconv.encode(text, charset, { addBOM: false });
  return iconv.decode(bytes, charset, { stripBOM: false }) === text ? bytes : null;
}

/** Encodes a text of which `encodeText` knows every character, with a percent sign before all unsafe bytes. */
export function percentEncode(text: string, charset: string, isSafe: RegExp): string {
  return Array.from(iconv.encode(text, charset), (byte) => {
    const character = String.fromCharCode(byte);
    if (isSafe.test(character)) return character;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
