const FIRST_MS = 100;
const LONGEST_MS = 1_000;

/**
 * Returns the milliseconds to wait before a reconnect. The delay doubles with each consecutive failure.
 * Half of it is random, so that processes do not reconnect at the same time.
 */
export function reconnectDelayMs(failures: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(ceiling / 2 + (Math.random() * ceiling) / 2);
}
