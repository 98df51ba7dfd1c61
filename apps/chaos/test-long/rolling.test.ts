import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
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

test('no client sees an error while a packed release is upgraded to the working copy, at 25 messages per second', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-roll-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const root = resolve(import.meta.dirname, '../../..');
  const pack = join(root, 'scripts/pack-release.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [pack, folder]);
  const report = await runRoll({ messagesPerSecond: 25, drainMs: 5_000, from: stdout.trim() });
  process.stdout.write(`${formatRollReport(report)}\n\n`);
  expect(report.violations, formatRollReport(report)).toEqual([]);
  expect([report.rows, report.ledgerLines]).toEqual([report.messages, report.messages]);
  expect(report.witnessConnections).toBeGreaterThan(3);
});
