import { expect, test } from 'vitest';
import type { Fault } from '../src/nemesis/plan-faults.ts';
import { formatReport, percentile } from '../src/report.ts';
import { runChaos } from '../src/run-chaos.ts';
import type { SendRecord } from '../src/senders/send-messages.ts';

const NORMAL_MS = 20_000;
const AWAY_MS = 60_000;
const AFTER_MS = 10_000;
const MESSAGES_PER_SECOND = 20;

test.each<[string, Fault]>([
  ['stopped', { kind: 'redis_restart', downMs: AWAY_MS }],
  ['hung', { kind: 'redis_hang', forMs: AWAY_MS }],
])(
  'with Redis %s for a minute under load, accepting is about as fast, all goes out, nothing twice',
  async (_how, fault) => {
    const durationMs = NORMAL_MS + AWAY_MS + AFTER_MS;
    const { report, records } = await runChaos({
      seed: 1,
      backend: 'redis',
      messages: (durationMs / 1_000) * MESSAGES_PER_SECOND,
      durationMs,
      faults: [[{ atMs: NORMAL_MS, fault }]],
    });
    const normal = medianBetween(records, 0, NORMAL_MS);
    const away = medianBetween(records, NORMAL_MS, NORMAL_MS + AWAY_MS);
    process.stdout.write(`${formatReport(report)}\n`);
    process.stdout.write(`median latency ${normal} ms before, ${away} ms without Redis\n\n`);
    expect(report.violations, formatReport(report)).toEqual([]);
    expect(report.requests.failed).toBe(0);
    // A couple of milliseconds are the machine's, whatever the ratio.
    expect(away).toBeLessThanOrEqual(Math.max(2 * normal, normal + 5));
  },
);

function medianBetween(records: readonly SendRecord[], fromMs: number, toMs: number): number {
  const durations = records
    .flatMap(({ planned, attempts }) => (planned.waitSeconds > 0 ? [] : attempts))
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .map(({ durationMs }) => durationMs);
  return percentile(durations, 0.5);
}
