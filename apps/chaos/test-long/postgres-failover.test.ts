import { FAILOVER_KINDS, type FailoverKind } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { formatOutages, measureOutage } from '../src/failover/measure-outage.ts';
import { formatReport } from '../src/report.ts';
import { runChaos } from '../src/run-chaos.ts';

const MESSAGES_PER_SECOND = 100;
const REPETITIONS = 3;
const FIRST_MS = 15_000;

/**
 * How long a node is down, which is longer than Patroni's ttl of 20 s, and when the next one fails.
 */
const TIMES: Record<FailoverKind, { forMs: number; everyMs: number }> = {
  switchover: { forMs: 0, everyMs: 25_000 },
  server_killed: { forMs: 0, everyMs: 30_000 },
  node_killed: { forMs: 25_000, everyMs: 55_000 },
  patroni_killed: { forMs: 30_000, everyMs: 60_000 },
  frozen: { forMs: 30_000, everyMs: 60_000 },
  isolated: { forMs: 30_000, everyMs: 60_000 },
  standby_frozen: { forMs: 20_000, everyMs: 45_000 },
};

test.each(FAILOVER_KINDS)(
  'no message is lost or sent twice with three PostgreSQL nodes under Patroni and 100 sends per second (%s)',
  async (how) => {
    const { forMs, everyMs } = TIMES[how];
    const durationMs = FIRST_MS + REPETITIONS * everyMs;
    const { report, records, faults } = await runChaos({
      seed: 1,
      backend: 'redis',
      patroni: true,
      messages: (durationMs / 1_000) * MESSAGES_PER_SECOND,
      durationMs,
      plan: { repeats: { min: 0, max: 1 }, recipients: 'ordinary', programs: 'stubborn' },
      faults: [
        Array.from({ length: REPETITIONS }, (_, index) => ({
          atMs: FIRST_MS + index * everyMs,
          fault: { kind: 'postgres_failover' as const, how, forMs },
        })),
      ],
    });
    process.stdout.write(`${formatReport(report)}\n`);
    const outages = faults.map((fault) => measureOutage(fault, records));
    process.stdout.write(`${formatOutages(how, outages)}\n\n`);
    expect(report.violations, formatReport(report)).toEqual([]);
    expect(report.faults).toEqual({ [`postgres_failover ${how}`]: REPETITIONS });
  },
);
