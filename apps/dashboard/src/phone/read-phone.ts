import {
  AsYouType,
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import * as strings from '#strings/phone';
import { cleanPhone, digitsOf } from './clean-phone.ts';

export type PhoneReading =
  | { kind: 'empty' }
  /** The beginning of a number: invalid only when the user leaves the field. */
  | { kind: 'unfinished'; message: string }
  | { kind: 'invalid'; message: string }
  | { kind: 'number'; number: string; country: CountryCode | undefined };

/**
 * The characters that people write within a number, without spaces. Characters that separate two numbers are not
 * included.
 */
const ONE_NUMBER_TEXT = /^\+?[\d()./\u2010-\u2015-]*$/;

/**
 * Parses a text that must be exactly one phone number. A number without a country code belongs to
 * the country of the user's locale.
 */
export function readPhone(text: string): PhoneReading {
  const cleaned = cleanPhone(text);
  if (cleaned === '') return { kind: 'empty' };
  const defaultCountry = findLocaleCountry();
  const found = parsePhoneNumberFromString(cleaned, {
    // The complete text must be a number, not only part of it.
    extract: false,
    ...(defaultCountry !== undefined && { defaultCountry }),
  });
  if (found?.ext !== undefined) return { kind: 'invalid', message: strings.noExtension };
  if (found?.isPossible() === true) {
    return { kind: 'number', number: found.number, country: found.country };
  }
  const digits = digitsOf(cleaned).length;
  const kind = ONE_NUMBER_TEXT.test(cleaned) && digits < 10 ? 'unfinished' : 'invalid';
  return { kind, message: strings.oneNumber };
}

/**
 * Groups a number while the user types. Text that may not be one number is returned unchanged, and so is a number
 * whose digits would change: `AsYouType` drops everything after a character that it does not expect.
 */
export function groupWhileTyping(text: string): string {
  const cleaned = cleanPhone(text);
  if (!ONE_NUMBER_TEXT.test(cleaned)) return text;
  const grouped = new AsYouType(findLocaleCountry()).input(cleaned);
  return digitsOf(grouped) === digitsOf(cleaned) ? grouped : text;
}

function findLocaleCountry(): CountryCode | undefined {
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  const region = new Intl.Locale(locale).maximize().region ?? '';
  return isSupportedCountry(region) ? region : undefined;
}
