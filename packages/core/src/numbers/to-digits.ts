const URI = /^\s*(?:tel|sms):(?:\/\/)?/iu;
const SEPARATORS = /[\p{Dash}().·/]/gu;
/** A trunk prefix in front of an area code, which international notation leaves out: +44 (0)7700 900123. */
const TRUNK_PREFIX = /^(\+|00)(.*?)\(0\)/u;

/** A program has written the digits as a number with a fraction: 4915123456704.0. */
const FRACTION = /^(\d{7,})\.0+$/u;

/** The digits of a text that is written like a phone number. */
export interface WrittenNumber {
  digits: string;
  hasPlus: boolean;
  /** A form decodes a plus as a space. */
  hasSpace: boolean;
}

/**
 * Reads the digits of a number in any notation: with separators, in the digits of any script, as a `tel:`
 * URI (RFC 3966). Returns null for anything else, for example a name or a code with `*`.
 */
export function toDigits(text: string): WrittenNumber | null {
  const isUri = URI.test(text);
  const written = cleanNumber(isUri ? readUri(text.replace(URI, '')) : text)
    .replace(TRUNK_PREFIX, '$1$2')
    .replace(FRACTION, '$1')
    .replaceAll(SEPARATORS, '');
  const digits = /^\+*(\d{1,32})$/u.exec(written)?.[1];
  if (digits === undefined) return null;
  return { digits, hasPlus: written.startsWith('+'), hasSpace: /^ [1-9]/u.test(text) };
}

/**
 * Removes the invisible parts of a phone number: every white space and format character, such as the narrow spaces and
 * the marks of direction in numbers that were copied. Digits of other scripts become 0 to 9.
 */
export function cleanNumber(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s\p{White_Space}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/\p{Nd}/gu, toAsciiDigit);
}

/** Returns the number of a `tel:` URI without its scheme, in the context that it names. */
function readUri(uri: string): string {
  const [number = '', ...parameters] = uri
    .replace(/\?.*$/su, '')
    .replaceAll(/%2B/giu, '+')
    .split(';');
  const context = parameters
    .map((each) => /^phone-context=(\+.*)$/iu.exec(each)?.[1])
    .find(Boolean);
  return context === undefined || number.trim().startsWith('+') ? number : context + number;
}

/** The digits of a script are ten characters in order. */
function toAsciiDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
