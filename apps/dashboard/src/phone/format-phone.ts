import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** As many as the views show at once, many times over. */
const REMEMBERED = 5_000;
const known = new Map<string, string>();

/** An E.164 number in the groups of its country: `+49 30 123456`. Anything else stays as it is. */
export function formatPhone(number: string): string {
  const formatted = known.get(number);
  if (formatted !== undefined) return formatted;
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  const words = parsed?.formatInternational() ?? number;
  if (known.size >= REMEMBERED) known.clear();
  known.set(number, words);
  return words;
}
