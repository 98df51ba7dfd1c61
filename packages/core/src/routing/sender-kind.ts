import { isPhoneNumber } from '../phone-number.ts';

export const SENDER_KINDS = ['long_code', 'toll_free', 'short_code', 'alphanumeric'] as const;

export type SenderKind = (typeof SENDER_KINDS)[number];

const SENDER_PATTERNS = {
  short_code: /^\d{3,8}$/,
  /** As GSM defines it: at most 11 characters, of which at least one is a letter. */
  alphanumeric: /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 &._-]{0,10}$/,
} as const;

const TOLL_FREE = /^\+1(800|833|844|855|866|877|888)\d{7}$/;

/** Returns the kind that the format of a sender implies; null if it implies none. */
export function readSenderKind(sender: string): SenderKind | null {
  if (TOLL_FREE.test(sender)) return 'toll_free';
  if (isPhoneNumber(sender)) return 'long_code';
  if (SENDER_PATTERNS.short_code.test(sender)) return 'short_code';
  return SENDER_PATTERNS.alphanumeric.test(sender) ? 'alphanumeric' : null;
}

// https://www.itu.int/pub/T-SP-E.164D: country codes of one and of two digits. All others have three.
export const ONE_DIGIT_COUNTRY_CODES: ReadonlySet<string> = new Set(['1', '7']);
export const TWO_DIGIT_COUNTRY_CODES: ReadonlySet<string> = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** Returns the country code of a phone number, without the `+`; null for any other sender. */
export function readCountryCode(sender: string): string | null {
  if (!isPhoneNumber(sender)) return null;
  const digits = sender.slice(1);
  if (ONE_DIGIT_COUNTRY_CODES.has(digits.slice(0, 1))) return digits.slice(0, 1);
  return digits.slice(0, TWO_DIGIT_COUNTRY_CODES.has(digits.slice(0, 2)) ? 2 : 3);
}
