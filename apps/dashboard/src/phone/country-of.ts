import { type Workspace, readCountryCode } from '@switchboard/contracts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';

const countriesOfCodes: Readonly<Record<string, readonly string[]>> =
  metadata.country_calling_codes;

/** Returns the chosen country or, without one, that of the default number: the largest one of its country code. */
export function countryOf(workspace: Pick<Workspace, 'country' | 'default_number'>): string | null {
  const { country, default_number: number } = workspace;
  if (country !== null || number === null) return country;
  const [largest] = countriesOfCodes[readCountryCode(number) ?? ''] ?? [];
  // `001` stands for codes that belong to no country.
  return countryOfNumber(number) ?? (largest === '001' ? null : (largest ?? null));
}

/** Returns the country of a number in E.164; null if it belongs to none, or to several. */
export function countryOfNumber(number: string): string | null {
  return parsePhoneNumberFromString(number, { extract: false })?.country ?? null;
}
