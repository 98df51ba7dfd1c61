import { expect, test } from 'vitest';
import { formatReport } from '../src/report.ts';
import { runChaos } from '../src/run-chaos.ts';

const DURATION_MS = 60_000;
const MESSAGES_PER_SECOND = 20;

test('no message is lost or sent twice while PgBouncer loses its connections on both sides', async () => {
  const { report } = await runChaos({
    seed: 1,
    backend: 'redis',
    pgBouncer: true,
    messages: (DURATION_MS / 1_000) * MESSAGES_PER_SECOND,
    durationMs: DURATION_MS,
    faults: [
      [5_000, 6_000, 7_000, 15_000, 15_100, 15_200, 40_000].map((atMs) => ({
        atMs,
        fault: { kind: 'postgres_disconnect' } as const,
      })),
      [
        { atMs: 20_000, fault: { kind: 'pgbouncer_restart', downMs: 200 } },
        { atMs: 30_000, fault: { kind: 'pgbouncer_restart', downMs: 5_000 } },
      ],
      [{ atMs: 45_000, fault: { kind: 'postgres_restart', downMs: 2_000 } }],
    ],
  });
  process.stdout.write(`${formatReport(report)}\n`);
  expect(report.violations, formatReport(report)).toEqual([]);
  expect(report.faults).toMatchObject({ pgbouncer_restart: 2, postgres_disconnect: 7 });
});
