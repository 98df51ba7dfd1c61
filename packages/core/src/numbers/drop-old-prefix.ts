/**
 * What people and gateways still write before national numbers although the plan has dropped it: the prefixes of
 * Mexico for mobile numbers and for long distance (until August 2019), and that of Chile for mobile numbers.
 */
const OLD_PREFIXES: Readonly<Record<string, RegExp>> = {
  MX: /^(?:04[45]|01)(?=\d{10}$)/,
  CL: /^0(?=9\d{8}$)/,
};

/** Removes an old prefix from the digits of a national number. */
export function dropOldPrefix(digits: string, country: string): string {
  return digits.replace(OLD_PREFIXES[country] ?? /(?!)/, '');
}
