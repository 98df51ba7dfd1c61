import { beforeAll, describe, expect, test } from 'vitest';
import { type ChaosReport, formatReport } from '../src/report.ts';
import { runChaos } from '../src/run-chaos.ts';

describe.each(['postgres', 'redis'] as const)('a small chaos run on %s', (backend) => {
  let report: ChaosReport;

  beforeAll(async () => {
    ({ report } = await runChaos({ seed: 4, messages: 120, backend, minutesLimit: 4 }));
  });

  test('a small chaos run has no violation', () => {
    expect(report.violations, formatReport(report)).toEqual([]);
    // A program may stop at its first failure. All others must have received a response.
    expect(report.requests.accepted).toBeGreaterThan(110);
    expect(report.rows).toBeGreaterThanOrEqual(report.requests.accepted);
    expect(report.events).toBeGreaterThan(2 * report.rows);
  });

  test('a small chaos run kills each kind of process, freezes a worker beyond its lease and stops each server', () => {
    const redis = backend === 'redis' ? { redis_flush: 1, redis_restart: 1 } : {};
    expect(report.faults).toMatchObject({
      'kill api': 1,
      'kill worker': 1,
      'freeze worker': 1,
      postgres_restart: 1,
      ...redis,
    });
    expect(report.forgeries).toBeGreaterThan(10);
  });

  test('a small chaos run freezes an API that processes inbound messages, and restores a backup with three clients connected', () => {
    expect(report.faults).toMatchObject({ freeze_receiving: 1 });
    // At least those of the burst: the carrier may stop retrying others while PostgreSQL restarts.
    expect(report.inbound.rows).toBeGreaterThanOrEqual(40);
    expect(report.resyncs).toBe(3);
  });
});
