import { expect, test } from 'vitest';
import { formatReport } from '../src/report.ts';
import { runChaos } from '../src/run-chaos.ts';

const SEEDS = [101, 102, 103, 104, 105, 106, 107, 108, 109, 110];

test.each(SEEDS.map((seed) => [seed, seed % 2 === 0 ? 'postgres' : 'redis'] as const))(
  'a run of 2,000 messages with every fault loses, duplicates and delays no message (seed %i on %s)',
  async (seed, backend) => {
    const { report } = await runChaos({ seed, messages: 2_000, backend });
    process.stdout.write(`${formatReport(report)}\n\n`);
    expect(report.violations, formatReport(report)).toEqual([]);
    const { faults } = report;
    expect(faults['kill api']).toBeGreaterThanOrEqual(10);
    expect(faults['kill worker']).toBeGreaterThanOrEqual(10);
    expect(faults['postgres_crash']).toBeGreaterThanOrEqual(1);
    if (backend === 'redis') {
      const { redis_flush: flushes = 0, redis_restart: restarts = 0 } = faults;
      expect(flushes + restarts).toBeGreaterThanOrEqual(3);
    }
  },
);
