import { cleanNumber } from '@switchboard/contracts';
import { AsYouType, isSupportedCountry } from 'libphonenumber-js/min';

/**
 * The characters that people write within a number, without spaces. Characters that separate two numbers are not
 * included.
 */
const ONE_NUMBER_TEXT = /^\+?[\d()./\u2010-\u2015-]*$/;

/**
 * Groups a number while the user types. Text that may not be one number is returned unchanged, and so is a number
 * whose digits would change: `AsYouType` drops everything after a character that it does not expect.
 */
export function groupWhileTyping(text: string, country: string | null): string {
  const cleaned = cleanNumber(text);
  if (!ONE_NUMBER_TEXT.test(cleaned)) return text;
  const home = country !== null && isSupportedCountry(country) ? country : undefined;
  const grouped = new AsYouType(home).input(cleaned);
  return digitsOf(grouped) === digitsOf(cleaned) ? grouped : text;
}

export const digitsOf = (text: string): string => cleanNumber(text).replaceAll(/\D/g, '');
