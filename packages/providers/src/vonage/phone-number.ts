import type { NumberContext } from '../numbers/read-number.ts';

/** Vonage writes numbers in full, without `+`. */
export const VONAGE_NUMBERS: NumberContext = { notation: 'international' };

/** Returns an address in Vonage's format. */
export function toVonageAddress(address: string): string {
  return address.startsWith('+') ? address.slice(1) : address;
}
