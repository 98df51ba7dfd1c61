import { expect, test } from 'vitest';
import { formatReport } from '../src/report.ts';
import { runChaos } from '../src/run-chaos.ts';

const DURATION_MS = 60_000;
const MESSAGES_PER_SECOND = 20;

test.each(['sentinels', 'cluster'] as const)(
  'no message is lost or sent twice when a Redis master (%s) is killed twice under load',
  async (redisGroup) => {
    const { report } = await runChaos({
      seed: 1,
      backend: 'redis',
      redisGroup,
      messages: (DURATION_MS / 1_000) * MESSAGES_PER_SECOND,
      durationMs: DURATION_MS,
      faults: [
        [
          { atMs: 15_000, fault: { kind: 'redis_failover' } },
          { atMs: 35_000, fault: { kind: 'redis_failover' } },
        ],
      ],
    });
    process.stdout.write(`${formatReport(report)}\n`);
    expect(report.violations, formatReport(report)).toEqual([]);
    expect(report.requests.failed).toBe(0);
    expect(report.faults).toMatchObject({ redis_failover: 2 });
  },
);
