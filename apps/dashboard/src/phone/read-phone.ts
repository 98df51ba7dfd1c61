import {
  AsYouType,
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

export type PhoneReading =
  | { kind: 'empty' }
  /** The beginning of a number: wrong only once the writer has finished. */
  | { kind: 'unfinished'; words: string }
  | { kind: 'wrong'; words: string }
  | { kind: 'number'; number: string; country: CountryCode | undefined };

const ONE_NUMBER = 'Enter one phone number, for example (415) 555-0123.';
const NO_EXTENSION = 'Leave out the extension: a text message can’t reach it.';

/** What people write in one number, and nothing that stands between two. */
const ONE_NUMBER_TEXT = /^\s*\+?[\d\s()./\u2010-\u2015-]*$/;

/**
 * Reads a text that must be exactly one phone number. Without a country code it is a number of the
 * reader’s own country.
 */
export function readPhone(text: string): PhoneReading {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  const defaultCountry = findOwnCountry();
  const found = parsePhoneNumberFromString(trimmed, {
    // The whole text, not a number somewhere in it.
    extract: false,
    ...(defaultCountry !== undefined && { defaultCountry }),
  });
  if (found?.ext !== undefined) return { kind: 'wrong', words: NO_EXTENSION };
  if (found?.isPossible() === true) {
    return { kind: 'number', number: found.number, country: found.country };
  }
  const digits = text.replaceAll(/\D/g, '').length;
  const kind = ONE_NUMBER_TEXT.test(text) && digits < 10 ? 'unfinished' : 'wrong';
  return { kind, words: ONE_NUMBER };
}

/**
 * Groups a number while it is written. Whatever may be no number stays as it was typed: `AsYouType`
 * drops what follows the first number, a second recipient included.
 */
export function groupWhileTyping(text: string): string {
  return ONE_NUMBER_TEXT.test(text) ? new AsYouType(findOwnCountry()).input(text) : text;
}

function findOwnCountry(): CountryCode | undefined {
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  const region = new Intl.Locale(locale).maximize().region ?? '';
  return isSupportedCountry(region) ? region : undefined;
}
