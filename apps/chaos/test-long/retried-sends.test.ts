import { expect, test } from 'vitest';
import { formatReport } from '../src/report.ts';
import { runChaos } from '../src/run-chaos.ts';

const MESSAGES = 10_000;
const MESSAGES_PER_SECOND = 100;

test.each(['postgres', 'redis'] as const)(
  '10,000 sends that are each retried two to five times with their keys become 10,000 rows and ledger lines on %s',
  async (backend) => {
    const { report } = await runChaos({
      seed: 1,
      backend,
      messages: MESSAGES,
      durationMs: (MESSAGES / MESSAGES_PER_SECOND) * 1_000,
      faults: [],
      plan: { repeats: { min: 2, max: 5 }, recipients: 'ordinary', programs: 'stubborn' },
    });
    process.stdout.write(`${formatReport(report)}\n\n`);
    expect(report.violations, formatReport(report)).toEqual([]);
    expect(report.requests.repeated).toBeGreaterThanOrEqual(2 * MESSAGES);
    expect([report.rows, report.ledgerLines]).toEqual([MESSAGES, MESSAGES]);
  },
);
