import type { Outcomes } from './count-outcomes.ts';

export interface Bar {
  start: string;
  /** The beginning of the next one. */
  end: string;
  outcomes: Outcomes;
}

/** From the bottom of a bar to its top; received ones go down from the line. */
export const SERIES = [
  { key: 'delivered', name: 'Delivered', fill: 'fill-chart-good', dot: 'bg-chart-good' },
  { key: 'underway', name: 'On the way', fill: 'fill-chart-way', dot: 'bg-chart-way' },
  { key: 'failed', name: 'Failed', fill: 'fill-chart-bad', dot: 'bg-chart-bad' },
  { key: 'received', name: 'Received', fill: 'fill-chart-came', dot: 'bg-chart-came' },
] as const;
