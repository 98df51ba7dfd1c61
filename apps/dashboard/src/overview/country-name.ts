import metadata from 'libphonenumber-js/min/metadata';
import * as strings from '#strings/overview';
import { nameRegion } from '../ui/region-name.ts';

const codes: Readonly<Record<string, readonly string[]>> = metadata.country_calling_codes;

/**
 * Names the countries of a country code, for example `Germany (+49)`. If there are several, the
 * largest is first.
 */
export function nameCountry(code: string): string {
  const [first, ...others] = codes[code] ?? [];
  // `001` stands for codes that belong to no country.
  if (first === undefined || first === '001') return `+${code}`;
  const name = nameRegion(first);
  return others.length === 0 ? `${name} (+${code})` : strings.andOthers({ name, code });
}
