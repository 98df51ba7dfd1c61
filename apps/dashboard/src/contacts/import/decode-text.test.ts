import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

const TEXT = 'phone;name\r\n+4915112345678;Zoë Müller\r\n';
const inUtf16 = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');

// Node decodes 0x80 to 0x9F of Windows-1252 as Latin-1, so the text has no such characters.
test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16 in little-endian order', inUtf16],
  ['UTF-16 in big-endian order', Buffer.from(inUtf16).swap16()],
  ['Windows-1252, in which Excel saves CSV files', Buffer.from(TEXT, 'latin1')],
])('a file of contacts in %s is decoded with its accents', (_encoding, bytes) => {
  expect(decodeText(new Uint8Array(bytes))).toBe(TEXT);
});
