import { expect, test } from 'vitest';
import { formatRollReport } from '../src/roll/roll-report.ts';
import { runRoll } from '../src/roll/run-roll.ts';

test('no client sees an error while every process is replaced, and workers and APIs are added and removed, at 100 messages per second', async () => {
  const report = await runRoll({ messagesPerSecond: 100, drainMs: 5_000 });
  process.stdout.write(`${formatRollReport(report)}\n\n`);
  expect(report.violations, formatRollReport(report)).toEqual([]);
  expect(report.messages).toBeGreaterThan(2_000);
  expect([report.rows, report.ledgerLines]).toEqual([report.messages, report.messages]);
  // Each of the three clients lost its connection at least once and reconnected.
  expect(report.witnessConnections).toBeGreaterThan(6);
});
