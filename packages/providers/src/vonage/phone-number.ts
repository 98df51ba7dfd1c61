/** Vonage writes numbers without `+`. Shorter texts of digits are short codes. */
const NUMBER = /^[1-9]\d{6,14}$/;

/** Returns an address in Vonage's format. */
export function toVonageAddress(address: string): string {
  return address.startsWith('+') ? address.slice(1) : address;
}

/** Returns an address in our format. */
export function fromVonageAddress(address: string): string {
  return NUMBER.test(address) ? `+${address}` : address;
}
