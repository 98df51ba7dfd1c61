import { percentile } from '@switchboard/testing/percentile';

/** Returns whole milliseconds; 0 when there are no durations. */
export function percentileMs(durations: readonly number[], share: number): number {
  return durations.length === 0 ? 0 : Math.round(percentile(durations, share));
}
