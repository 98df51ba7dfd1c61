import type { Behaviour } from './behaviour/behaviour.ts';
import { formatRfc2822 } from './rfc2822-date.ts';

export type CarrierClock = ReturnType<typeof createCarrierClock>;

/**
 * The clock of the carrier's responses, `clock_offset_ms` ahead of the machine's clock. Stored times
 * use the machine's clock, so a change of the offset moves all dates.
 */
export function createCarrierClock(current: () => Pick<Behaviour, 'clock_offset_ms'>) {
  return {
    offsetMs: (): number => current().clock_offset_ms,

    /** Formats a time of the machine's clock as a carrier date. */
    format: (ms: number): string => formatRfc2822(ms + current().clock_offset_ms),

    /** Returns the `Date` header of a response that is sent now. */
    httpDate: (): string => new Date(Date.now() + current().clock_offset_ms).toUTCString(),
  };
}
