/** The alphabet of RFC 4648, which authenticator apps expect. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = 5;

/** Encodes bytes in base32 without padding, which some authenticator apps refuse. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let rest = 0;
  let bits = 0;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    for (bits += 8; bits >= BITS; bits -= BITS) {
      text += ALPHABET.charAt((rest >>> (bits - BITS)) & 31);
    }
    rest &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET.charAt((rest << (BITS - bits)) & 31);
}

/** Decodes base32 that `toBase32` wrote. */
export function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let rest = 0;
  let bits = 0;
  for (const character of text) {
    rest = (rest << BITS) | ALPHABET.indexOf(character);
    bits += BITS;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(rest >>> bits);
    rest &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
