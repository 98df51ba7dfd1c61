/** Returns the last 4 characters of a secret that is long enough to show them, otherwise nothing. */
export function toLast4(secret: string): string {
  return secret.length >= 12 ? secret.slice(-4) : '';
}
