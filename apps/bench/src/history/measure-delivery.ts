import { createCountDeliveries } from '@switchboard/database';
import { openTestDatabase } from '@switchboard/testing';
import { percentile } from '@switchboard/testing/percentile';
import { type Figure, latency } from '../scenario.ts';
import { median } from '../statistics.ts';
import { collectFigures } from './collect-figures.ts';

const DAY_MS = 86_400_000;
const GOAL_MS = 250;

/** Periods in days, and how much earlier their days start than days in UTC. */
const PERIODS = [
  { days: 7, shiftMs: 0, name: '7 days' },
  { days: 30, shiftMs: 0, name: '30 days' },
  { days: 90, shiftMs: 0, name: '90 days' },
  { days: 30, shiftMs: 5.5 * 3_600_000, name: '30 days of India' },
];

/** Measures the delivery statistics of several periods. */
export async function measureDelivery(options: {
  databaseUrl: string;
  workspaceId: string;
  repeats: number;
  onProgress(what: string): void;
}): Promise<readonly Figure[]> {
  const { workspaceId, repeats, onProgress } = options;
  const database = openTestDatabase(options.databaseUrl, { poolSize: 1 });
  try {
    const count = createCountDeliveries(database);
    const { figures, add } = collectFigures(onProgress);
    for (const { name, days, shiftMs } of PERIODS) {
      onProgress(`statistics of ${name}`);
      const to = Math.ceil(Date.now() / DAY_MS) * DAY_MS - shiftMs;
      const period = { from: new Date(to - days * DAY_MS), to: new Date(to) };
      const times: number[] = [];
      for (let repeat = 0; repeat <= repeats; repeat += 1) {
        const before = performance.now();
        await count(workspaceId, period);
        // The first call reads the data into memory.
        if (repeat > 0) times.push(performance.now() - before);
      }
      add(
        latency(`delivery statistics, ${name}: p50`, median(times)),
        latency(`delivery statistics, ${name}: p95`, percentile(times, 0.95), GOAL_MS),
      );
    }
    return figures;
  } finally {
    await database.close();
  }
}
