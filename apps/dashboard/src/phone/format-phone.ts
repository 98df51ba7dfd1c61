import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** How many numbers are cached: far more than the views show at once. */
const MAX_CACHED = 5_000;
const cache = new Map<string, string>();

/**
 * Groups the digits of an E.164 number as in its country: `+49 30 123456`. Returns other texts
 * unchanged.
 */
export function formatPhone(number: string): string {
  const cached = cache.get(number);
  if (cached !== undefined) return cached;
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  const grouped = parsed?.formatInternational() ?? number;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(number, grouped);
  return grouped;
}
