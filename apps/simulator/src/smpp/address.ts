import { isPhoneNumber } from '../phone-number.ts';

const INTERNATIONAL = 1;
const UNKNOWN = 0;

/** Returns an E.164 number with its `+`, and every other address unchanged. */
export function parseAddress(ton: number, address: string): string {
  const number = `+${address.replace(/^\+/, '')}`;
  return (ton === INTERNATIONAL || ton === UNKNOWN) && isPhoneNumber(number) ? number : address;
}

/** Returns an address with its type of number and its numbering plan. */
export function formatAddress(address: string): { ton: number; npi: number; address: string } {
  if (isPhoneNumber(address)) return { ton: INTERNATIONAL, npi: 1, address: address.slice(1) };
  // 3: network specific, for short codes. 5: alphanumeric.
  return { ton: /^\d+$/.test(address) ? 3 : 5, npi: 0, address };
}
