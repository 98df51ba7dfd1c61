// Before NFKC, which turns the emoji ™ and Ⓜ into letters. A keycap has a digit.
const EMOJI = /\p{Extended_Pictographic}|[#*0-9]\uFE0F?\u20E3/gu;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Me}]/gu;
/** Of Latin, Greek and Cyrillic. The marks of other scripts are part of their words. */
const ACCENTS = /[\u0300-\u036F]/g;
const GAPS = /[\s\p{Dash}\p{Cc}]+/gu;
const ENDS = /^[\p{P}\p{S}\p{C}\s]+|[\p{P}\p{S}\p{C}\s]+$/gu;

/**
 * Returns a text as keywords are compared (CTIA Messaging Principles 5.1.3): in capital letters, without
 * accents, invisible characters and emoji, without punctuation and symbols at both ends, and with one
 * space for white space and hyphens. Empty if no letter or digit remains.
 */
export function normalizeKeyword(text: string): string {
  const compatible = text.replaceAll(EMOJI, ' ').normalize('NFKD');
  return (
    compatible
      .replaceAll(INVISIBLE, '')
      .replaceAll(ACCENTS, '')
      .replaceAll(GAPS, ' ')
      .replaceAll(ENDS, '')
      .normalize('NFKC')
      // The capital ẞ has no other capital form, but the small one has SS.
      .toLowerCase()
      .toUpperCase()
  );
}
