import { setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY, createWorkspaceFixture, mapBounded, startWorker } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startCarrier } from '../test/sessions/start-carrier.ts';
import { addSmppAccount } from '../test/sessions/start-session-environment.ts';
import { startEnvironment } from '../test/start-environment.ts';

const SENDER = '+14155550177';
const SETTLE_MS = 10_000;
const MEASURED_S = 30;

interface Case {
  perSecond: number;
  workers: number;
  maxBinds: number;
  /** How many parts each text has: the carrier counts parts. */
  parts: number;
}

test.for<Case>([
  { perSecond: 20, workers: 1, maxBinds: 1, parts: 1 },
  { perSecond: 10, workers: 1, maxBinds: 1, parts: 1 },
  { perSecond: 50, workers: 1, maxBinds: 1, parts: 1 },
  { perSecond: 20, workers: 3, maxBinds: 1, parts: 1 },
  { perSecond: 10, workers: 3, maxBinds: 3, parts: 1 },
  { perSecond: 20, workers: 3, maxBinds: 3, parts: 1 },
  { perSecond: 50, workers: 3, maxBinds: 3, parts: 1 },
  { perSecond: 2, workers: 1, maxBinds: 1, parts: 4 },
  { perSecond: 5, workers: 1, maxBinds: 1, parts: 7 },
  { perSecond: 20, workers: 1, maxBinds: 1, parts: 3 },
  { perSecond: 20, workers: 3, maxBinds: 3, parts: 10 },
])(
  'a carrier that accepts $perSecond parts a second gets 80 percent of that from $workers workers with $maxBinds binds and texts of $parts parts, and no outcome is unknown',
  async ({ perSecond, workers, maxBinds, parts }, { annotate }) => {
    const environment = await startEnvironment({ hintGraceMs: 500 });
    const { database, databaseUrl } = environment;
    const carrier = await startCarrier({ perSecond, maxBinds });
    const fixture = await createWorkspaceFixture(databaseUrl, { provider: false, from: SENDER });
    const { workspaceId } = fixture;
    await addSmppAccount(database, workspaceId, {
      host: '127.0.0.1',
      port: carrier.port,
      tls: false,
      system_id: 'switchboard',
      password: 'secret',
      max_binds: maxBinds,
    });
    for (let count = 0; count < workers; count += 1) {
      const worker = await startWorker({
        DATABASE_URL: databaseUrl,
        PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8',
      });
      onTestFinished(() => worker.stop());
    }
    await vi.waitFor(
      () => expect(carrier.counts.binds).toBeGreaterThanOrEqual(maxBinds),
      EVENTUALLY,
    );
    const body = 'x'.repeat(parts === 1 ? 20 : 153 * parts);
    const recipients = Array.from(
      { length: Math.ceil((perSecond * 80) / parts) },
      (_, index) => `+1415${5_550_000 + index}`,
    );
    await mapBounded(recipients, (to) =>
      environment.accept(workspaceId, to, { from: SENDER, body }),
    );
    await vi.waitFor(() => expect(carrier.counts.throttled).toBeGreaterThan(0), EVENTUALLY);
    await delay(SETTLE_MS);
    const before = { ...carrier.counts };
    const samples: number[] = [];
    for (let second = 0; second < MEASURED_S; second += 1) {
      const was = carrier.counts.accepted;
      await delay(1_000);
      samples.push(carrier.counts.accepted - was);
    }
    const accepted = carrier.counts.accepted - before.accepted;
    const throttled = carrier.counts.throttled - before.throttled;
    const share = (100 * accepted) / (perSecond * MEASURED_S);
    await annotate(
      `${share.toFixed(0)} % of the limit, ${throttled} parts throttled; by second: ${samples.join(' ')}`,
    );
    const { rows } = await database.pool.query<{ dispatch: string }>(
      `SELECT dispatch FROM messages WHERE dispatch NOT IN ('ready', 'inflight', 'accepted')`,
    );
    expect(rows).toEqual([]);
    expect(accepted).toBeGreaterThan(0.8 * perSecond * MEASURED_S);
  },
);
