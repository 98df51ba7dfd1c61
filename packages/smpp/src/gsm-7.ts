/** GSM 03.38 without packing: one septet in each byte, as in SMPP. The table has 128 characters. */
const ESCAPE = 0x1b;
const BASIC = (
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
).split('');
const EXTENSION: Record<number, string> = {
  0x0a: '\f',
  0x14: '^',
  0x28: '{',
  0x29: '}',
  0x2f: '\\',
  0x3c: '[',
  0x3d: '~',
  0x3e: ']',
  0x40: '|',
  0x65: '€',
};

const SEPTETS = new Map<string, readonly number[]>([
  ...BASIC.map((character, code) => [character, [code]] as const),
  ...Object.entries(EXTENSION).map(([code, character]) => [character, [ESCAPE, +code]] as const),
]);
SEPTETS.delete('\x1b');

/** Returns the septets of a character: one, two from the extension table, or null outside GSM-7. */
export function toSeptets(character: string): readonly number[] | null {
  return SEPTETS.get(character) ?? null;
}

/** Decodes septets. An escape before a septet outside the extension table is shown as a space. */
export function decodeGsm7(bytes: Buffer): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 1) {
    const septet = (bytes[i] ?? 0) & 0x7f;
    if (septet !== ESCAPE) {
      text += BASIC[septet];
      continue;
    }
    const extended = EXTENSION[(bytes[i + 1] ?? 0) & 0x7f];
    text += extended ?? ' ';
    if (extended !== undefined) i += 1;
  }
  return text;
}
