const DIGIT = /\p{Nd}/u;

/**
 * Removes the invisible parts of a phone number: every white space and format character, such as the narrow spaces and the
 * marks of direction in numbers that were copied. Digits of other scripts become 0 to 9.
 */
export function cleanPhone(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s\p{White_Space}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/\p{Nd}/gu, toAsciiDigit);
}

export const digitsOf = (text: string): string => cleanPhone(text).replaceAll(/\D/g, '');

/** The digits of a script have consecutive code points. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
