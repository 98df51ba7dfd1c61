import { type Decode, decodeUtf8, findDecoder, readCharset } from '../http/decode-body.ts';

/**
 * Parses a form in the charset of its `Content-Type`, both its percent-encoded and its other bytes. Of fields
 * with the same name, the first counts. `URLSearchParams` knows only UTF-8.
 */
export function parseForm(bytes: Uint8Array, contentType: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const decode = findDecoder(readCharset(contentType) ?? 'utf-8') ?? decodeUtf8;
  for (const pair of Buffer.from(bytes).toString('latin1').split('&')) {
    const [name = '', ...value] = pair.split('=').map((part) => decodePart(part, decode));
    if (pair !== '' && !fields.has(name)) fields.set(name, value.join('='));
  }
  return fields;
}

function decodePart(part: string, decode: Decode): string {
  const bytes = part
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return decode(Buffer.from(bytes, 'latin1'));
}
