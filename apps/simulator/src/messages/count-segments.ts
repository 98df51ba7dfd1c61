// GSM 03.38: the basic table and the extension table, whose characters use two septets.
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ' +
    'ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENSION = new Set('\f^{}\\[~]|€');
const PLAIN = /^[ -Z_a-z\n\r]*$/;

/** Whether GSM-7 has every character of the text. */
export function isGsm7(body: string): boolean {
  return PLAIN.test(body) || [...body].every((c) => BASIC.has(c) || EXTENSION.has(c));
}

/** Counts the segments of a text, in GSM-7 if it contains every character, otherwise in UCS-2. */
export function countSegments(body: string): number {
  // A fast path for most texts. The class leaves out [ \ ] ^ ` { | } ~.
  if (body.length <= 160 && PLAIN.test(body)) return 1;
  const characters = [...body];
  const isGsm = isGsm7(body);
  const [whole, part] = isGsm ? [160, 153] : [70, 67];
  const widthOf = (c: string): number => (isGsm ? (EXTENSION.has(c) ? 2 : 1) : c.length);

  let total = 0;
  let segments = 1;
  let room = part;
  for (const character of characters) {
    const width = widthOf(character);
    total += width;
    // A character that uses two units is never split.
    if (width > room) {
      segments += 1;
      room = part;
    }
    room -= width;
  }
  return total <= whole ? 1 : segments;
}
