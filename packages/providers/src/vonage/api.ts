import type { VendorApi } from '../vendor-description.ts';

export const api: VendorApi = {
  origin: 'https://api.nexmo.com',
  note: 'An account outside the default region has its own, for example `https://api-us-1.nexmo.com`.',
};

/**
 * Returns the replacement for the API of numbers, which is the same for all regions: a region of Vonage replaces only
 * the API of messages, and a simulator replaces both.
 */
export function toNumbersUrl(apiUrl: string | null): string | null {
  const isVonage = /\.(nexmo|vonage)\.com$/.test(new URL(apiUrl ?? api.origin).hostname);
  return isVonage ? null : apiUrl;
}
