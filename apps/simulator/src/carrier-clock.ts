import type { Behaviour } from './behaviour/behaviour.ts';
import { formatRfc2822 } from './rfc2822-date.ts';

export type CarrierClock = ReturnType<typeof createCarrierClock>;

/**
 * The clock that the carrier's answers tell the time by: `clock_offset_ms` off the machine's.
 * What the simulator keeps is by the machine's clock, so a change of the offset moves all dates.
 */
export function createCarrierClock(current: () => Pick<Behaviour, 'clock_offset_ms'>) {
  return {
    offsetMs: (): number => current().clock_offset_ms,

    /** A time of the machine's clock, as the carrier writes it. */
    format: (ms: number): string => formatRfc2822(ms + current().clock_offset_ms),

    /** The value of the `Date` header of an answer given now. */
    httpDate: (): string => new Date(Date.now() + current().clock_offset_ms).toUTCString(),
  };
}
