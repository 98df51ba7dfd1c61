import { expect, test } from 'vitest';
import type { Fault } from '../src/nemesis/plan-faults.ts';
import { percentileMs } from '../src/percentile-ms.ts';
import { formatReport } from '../src/report.ts';
import { runChaos } from '../src/run-chaos.ts';
import type { SendRecord } from '../src/senders/send-messages.ts';

const NORMAL_MS = 20_000;
const OUTAGE_MS = 60_000;
const AFTER_MS = 20_000;
const WARM_UP_MS = 5_000;
const MESSAGES_PER_SECOND = 20;

test.each<[string, Fault]>([
  ['stopped', { kind: 'redis_restart', downMs: OUTAGE_MS }],
  ['hung', { kind: 'redis_hang', forMs: OUTAGE_MS }],
])(
  'messages are accepted about as fast, and each is sent once, while Redis is %s for a minute under load',
  async (_how, fault) => {
    const durationMs = NORMAL_MS + OUTAGE_MS + AFTER_MS;
    const { report, records } = await runChaos({
      seed: 1,
      backend: 'redis',
      messages: (durationMs / 1_000) * MESSAGES_PER_SECOND,
      durationMs,
      faults: [[{ atMs: NORMAL_MS, fault }]],
    });
    const backAtMs = NORMAL_MS + OUTAGE_MS + WARM_UP_MS;
    // Measured before and after, so that a change in the load of the machine does not count as a
    // difference.
    const normal = medianOf(records, (atMs) =>
      atMs < NORMAL_MS ? atMs >= WARM_UP_MS : atMs >= backAtMs,
    );
    const without = medianOf(records, (atMs) => atMs >= NORMAL_MS && atMs < NORMAL_MS + OUTAGE_MS);
    process.stdout.write(`${formatReport(report)}\n`);
    process.stdout.write(`median latency ${normal} ms with Redis, ${without} ms without\n\n`);
    expect(report.violations, formatReport(report)).toEqual([]);
    expect(report.requests.failed).toBe(0);
    // A difference of a few milliseconds is noise of the machine, whatever the ratio.
    expect(without).toBeLessThanOrEqual(Math.max(2 * normal, normal + 5));
  },
);

function medianOf(records: readonly SendRecord[], isMeant: (atMs: number) => boolean): number {
  const attempts = records.flatMap((record) => record.attempts);
  const startMs = Math.min(...attempts.map(({ atMs }) => atMs));
  const durations = records
    .flatMap((record) => (record.planned.waitSeconds > 0 ? [] : record.attempts))
    .filter(({ atMs }) => isMeant(atMs - startMs))
    .map(({ durationMs }) => durationMs);
  return percentileMs(durations, 0.5);
}
