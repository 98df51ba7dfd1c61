import { percentile } from '@switchboard/testing/percentile';

/** Returns a percentile in whole milliseconds, or 0 if there are no durations. */
export function percentileMs(durations: readonly number[], share: number): number {
  return durations.length === 0 ? 0 : Math.round(percentile(durations, share));
}
