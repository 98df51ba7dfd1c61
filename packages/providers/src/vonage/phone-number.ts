/** Returns an address in Vonage's format. */
export function toVonageAddress(address: string): string {
  return address.startsWith('+') ? address.slice(1) : address;
}
