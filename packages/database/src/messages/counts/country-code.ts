import { ONE_DIGIT_COUNTRY_CODES, TWO_DIGIT_COUNTRY_CODES } from '@switchboard/core';

const list = (codes: Iterable<string>): string => [...codes].map((code) => `'${code}'`).join(', ');

/** Returns the country code of the phone number in a column, as `readCountryCode` reads it. */
export const countryCodeOf = (column: string): string => `CASE
  WHEN ${column} !~ '^\\+[1-9][0-9]{6,14}$' THEN NULL
  WHEN substr(${column}, 2, 1) IN (${list(ONE_DIGIT_COUNTRY_CODES)}) THEN substr(${column}, 2, 1)
  WHEN substr(${column}, 2, 2) IN (${list(TWO_DIGIT_COUNTRY_CODES)}) THEN substr(${column}, 2, 2)
  ELSE substr(${column}, 2, 3) END`;
