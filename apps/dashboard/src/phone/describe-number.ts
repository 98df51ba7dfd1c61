import { nameRegion } from '../ui/region-name.ts';
import { countryOfNumber } from './country-of.ts';

/** Shows a number in E.164 as it was read, with its country: `+4915123456704 · Germany`. */
export function describeNumber(number: string): string {
  const country = countryOfNumber(number);
  return country === null ? number : `${number} · ${nameRegion(country)}`;
}
