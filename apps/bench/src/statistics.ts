import { percentile } from '@switchboard/testing/percentile';

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
