import type { OpenAccount } from './open-account.ts';

/** Returns how far Twilio's clock is ahead of ours, to the second; 0 if the answer has no date. */
export function readClockOffset(opened: OpenAccount): number {
  const last = opened.lastOutcome();
  const header = last?.kind === 'answered' ? last.headers['date'] : undefined;
  const dateMs = Date.parse(String(header));
  return Number.isNaN(dateMs) ? 0 : dateMs - Date.now();
}
