const FIRST_MS = 100;
const LONGEST_MS = 1_000;

/** Doubles with each failure in a row; half of it is chance, so that processes spread out. */
export function reconnectDelayMs(failures: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(ceiling / 2 + (Math.random() * ceiling) / 2);
}
