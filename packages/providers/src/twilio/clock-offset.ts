import type { OpenAccount } from './open-account.ts';

/** How far Twilio's clock is ahead of this process's, to a second; 0 when the answer does not tell. */
export function readClockOffset(opened: OpenAccount): number {
  const last = opened.lastOutcome();
  const header = last?.kind === 'answered' ? last.headers['date'] : undefined;
  const dateMs = Date.parse(String(header));
  return Number.isNaN(dateMs) ? 0 : dateMs - Date.now();
}
