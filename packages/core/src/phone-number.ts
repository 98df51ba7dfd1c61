export const E164_PATTERN = String.raw`^\+[1-9][0-9]{6,14}$`;
const E164 = new RegExp(E164_PATTERN);

/**
 * Returns whether the text is `+`, a digit from 1 to 9 and 6 to 14 further digits. Does not check
 * numbering plans.
 */
export function isPhoneNumber(value: string): boolean {
  return E164.test(value);
}

/** Masks a number for logs: `+15551234567` becomes `+1555•••4567`. */
export function maskPhoneNumber(value: string): string {
  return value.length <= 8 ? '•••' : `${value.slice(0, -7)}•••${value.slice(-4)}`;
}
