import type { OpenAccount } from './open-account.ts';

/**
 * Returns how far Twilio's clock is ahead of ours, to the second; 0 if the response has no date. The
 * time that the body took to arrive does not count.
 */
export function readClockOffset(opened: OpenAccount): number {
  const last = opened.lastOutcome();
  if (last?.kind !== 'answered') return 0;
  const dateMs = Date.parse(String(last.headers['date']));
  return Number.isNaN(dateMs) ? 0 : dateMs - last.headersAt;
}
