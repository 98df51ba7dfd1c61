import * as strings from '#strings/overview';

import type { Outcomes } from './count-outcomes.ts';

export interface Bar {
  start: string;
  /** The start of the next bar. */
  end: string;
  outcomes: Outcomes;
}

/** From bottom to top of a bar. Received messages extend below the zero line. */
export const SERIES = [
  { key: 'delivered', name: strings.delivered, fill: 'fill-chart-good', dot: 'bg-chart-good' },
  {
    key: 'inProgress',
    name: strings.inProgress,
    fill: 'fill-chart-progress',
    dot: 'bg-chart-progress',
  },
  { key: 'failed', name: strings.failed, fill: 'fill-chart-bad', dot: 'bg-chart-bad' },
  {
    key: 'received',
    name: strings.received,
    fill: 'fill-chart-received',
    dot: 'bg-chart-received',
  },
] as const;
