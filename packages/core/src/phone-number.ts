export const E164_PATTERN = String.raw`^\+[1-9][0-9]{6,14}$`;
const E164 = new RegExp(E164_PATTERN);

/** `+`, a digit 1 to 9 and 6 to 14 further digits. Not held against numbering plans. */
export function isPhoneNumber(value: string): boolean {
  return E164.test(value);
}

/** `+15551234567` as `+1555•••4567`, for logs. */
export function maskPhoneNumber(value: string): string {
  return value.length <= 8 ? '•••' : `${value.slice(0, -7)}•••${value.slice(-4)}`;
}
