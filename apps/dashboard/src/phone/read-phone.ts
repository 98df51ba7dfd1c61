import {
  AsYouType,
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import * as strings from '#strings/phone';

export type PhoneReading =
  | { kind: 'empty' }
  /** The beginning of a number: invalid only when the user leaves the field. */
  | { kind: 'unfinished'; message: string }
  | { kind: 'invalid'; message: string }
  | { kind: 'number'; number: string; country: CountryCode | undefined };

/**
 * The characters that people write within a number. Characters that separate two numbers are not
 * included.
 */
const ONE_NUMBER_TEXT = /^\s*\+?[\d\s()./\u2010-\u2015-]*$/;

/**
 * Parses a text that must be exactly one phone number. A number without a country code belongs to
 * the country of the user's locale.
 */
export function readPhone(text: string): PhoneReading {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  const defaultCountry = findLocaleCountry();
  const found = parsePhoneNumberFromString(trimmed, {
    // The complete text must be a number, not only part of it.
    extract: false,
    ...(defaultCountry !== undefined && { defaultCountry }),
  });
  if (found?.ext !== undefined) return { kind: 'invalid', message: strings.noExtension };
  if (found?.isPossible() === true) {
    return { kind: 'number', number: found.number, country: found.country };
  }
  const digits = text.replaceAll(/\D/g, '').length;
  const kind = ONE_NUMBER_TEXT.test(text) && digits < 10 ? 'unfinished' : 'invalid';
  return { kind, message: strings.oneNumber };
}

/**
 * Groups a number while the user types. Text that may not be one number is returned unchanged:
 * `AsYouType` would drop everything after the first number, for example a second recipient.
 */
export function groupWhileTyping(text: string): string {
  return ONE_NUMBER_TEXT.test(text) ? new AsYouType(findLocaleCountry()).input(text) : text;
}

function findLocaleCountry(): CountryCode | undefined {
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  const region = new Intl.Locale(locale).maximize().region ?? '';
  return isSupportedCountry(region) ? region : undefined;
}
