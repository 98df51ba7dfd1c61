import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@switchboard/embedded-postgres';
import { startSimulator } from '@switchboard/testing';
import { describe, expect, test, vi } from 'vitest';

import { startBench } from './start-bench.ts';

const RECIPIENT = '+14155550100';
/** Longer than the hold, which is 2.5 s in these tests. */
const OUTAGE_MS = 6_000;

// Outages, their ends and the gaps between probes take their time.
vi.setConfig({ testTimeout: 120_000 });

/** A busy machine may need a second for an answer; only a provider that fails may be slow here. */
const UNHURRIED = {
  PROVIDER_TIMEOUT_MS: '2000',
  LEASE_MS: '5000',
  UNKNOWN_LOOKUPS_MS: '500,1000,2500',
};

type Bench = Awaited<ReturnType<typeof startBench>>;

async function accountOf(bench: Bench, workspaceId: string) {
  return bench.database.prisma.providerConfiguration.findUniqueOrThrow({ where: { workspaceId } });
}

function countAttempts(bench: Bench, workspaceId: string): Promise<number> {
  return bench.database.pool
    .query<{ n: number }>('SELECT sum(attempt)::int AS n FROM messages WHERE workspace_id = $1', [
      workspaceId,
    ])
    .then(({ rows }) => rows[0]?.n ?? 0);
}

describe('a provider that fails for longer than the hold', () => {
  test('with 500s: no message fails, and each is sent once when it is back', async ({
    onTestFinished,
  }) => {
    const bench = await startBench({ hintGraceMs: 200 }, onTestFinished);
    const { workspaceId } = await bench.addWorkspace();
    await bench.behave({ reject_500: 1 });
    await bench.startWorker({ ...UNHURRIED, WORKER_CONCURRENCY: '8' });
    const hints = [];
    for (let i = 0; i < 40; i += 1) hints.push(await bench.accept(workspaceId, RECIPIENT));
    await expect
      .poll(async () => (await accountOf(bench, workspaceId)).failingSince, { timeout: 30_000 })
      .toBeInstanceOf(Date);
    await pause(OUTAGE_MS);
    // First attempts wait: what went out before the breaker opened is all that went out.
    const attempts = await countAttempts(bench, workspaceId);
    expect(attempts).toBeLessThan(20);
    expect((await accountOf(bench, workspaceId)).failingDetail).toMatch(/500/);

    await bench.behave({ reject_500: 0 });
    for (const { messageId } of hints) {
      const row = await bench.until(messageId, (now) => now.dispatch === 'accepted', 60_000);
      expect(row.resends).toBeLessThanOrEqual(1);
    }
    expect(await bench.ledger()).toHaveLength(40);
    expect(await accountOf(bench, workspaceId)).toMatchObject({
      failingSince: null,
      failingDetail: null,
      probes: 0,
    });
  });

  test('a single message, in a workspace that sends nothing else, waits with its resend', async ({
    onTestFinished,
  }) => {
    const bench = await startBench({ hintGraceMs: 200 }, onTestFinished);
    const { workspaceId } = await bench.addWorkspace();
    await bench.behave({ reject_500: 1 });
    await bench.startWorker(UNHURRIED);
    const { messageId } = await bench.accept(workspaceId, RECIPIENT);
    await bench.until(messageId, (now) => now.dispatch === 'unknown');
    await pause(OUTAGE_MS);
    expect(await bench.row(messageId)).toMatchObject({ dispatch: 'unknown', attempt: 1 });
    await bench.behave({ reject_500: 0 });
    const row = await bench.until(messageId, (now) => now.dispatch === 'accepted', 60_000);
    expect(row).toMatchObject({ attempt: 2, resends: 1 });
    expect(await bench.ledger()).toHaveLength(1);
  });

  test('with refused connections: few attempts are made, by two workers together', async ({
    onTestFinished,
  }) => {
    const port = await findFreePort();
    const bench = await startBench(
      { providerUrl: `http://127.0.0.1:${port}`, hintGraceMs: 200 },
      onTestFinished,
    );
    const { workspaceId } = await bench.addWorkspace();
    await bench.startWorker({ ...UNHURRIED, WORKER_CONCURRENCY: '8' });
    await bench.startWorker({ ...UNHURRIED, WORKER_CONCURRENCY: '8' });
    const hints = [];
    for (let i = 0; i < 60; i += 1) hints.push(await bench.accept(workspaceId, RECIPIENT));
    await expect
      .poll(async () => (await accountOf(bench, workspaceId)).failingSince, { timeout: 30_000 })
      .toBeInstanceOf(Date);
    await pause(OUTAGE_MS);
    expect(await countAttempts(bench, workspaceId)).toBeLessThan(60);
    const { probes } = await accountOf(bench, workspaceId);
    // 0.5 to 1 s, 1 to 2 s, 2 to 4 s: at most five in this time, whichever worker makes them.
    expect(probes).toBeGreaterThanOrEqual(1);
    expect(probes).toBeLessThanOrEqual(6);

    const late = await startSimulator({ SIMULATOR_PORT: String(port) });
    onTestFinished(() => late.stop());
    for (const { messageId } of hints) {
      const row = await bench.until(messageId, (now) => now.dispatch === 'accepted', 60_000);
      expect(row.resends).toBe(0);
    }
  });

  test('leaves other workspaces alone', async ({ onTestFinished }) => {
    const bench = await startBench({ hintGraceMs: 200 }, onTestFinished);
    const failing = await bench.addWorkspace();
    const other = await bench.addWorkspace();
    await bench.database.prisma.providerConfiguration.update({
      where: { workspaceId: failing.workspaceId },
      data: { failingSince: new Date(), probeAt: new Date(Date.now() + 3_600_000) },
    });
    await bench.startWorker(UNHURRIED);
    const waits = await bench.accept(failing.workspaceId, RECIPIENT);
    const goes = await bench.accept(other.workspaceId, RECIPIENT);
    await bench.until(goes.messageId, (now) => now.dispatch === 'accepted', 60_000);
    await pause(500);
    expect(await bench.row(waits.messageId)).toMatchObject({ dispatch: 'ready', attempt: 0 });
  });
});

test('with credentials that are refused the backlog waits without attempts, and goes out when they are taken again', async () => {
  const bench = await startBench({ hintGraceMs: 200 });
  const first = await bench.addWorkspace();
  await bench.startWorker({ ...UNHURRIED, WORKER_CONCURRENCY: '8' });
  const taken = await bench.accept(first.workspaceId, RECIPIENT);
  await bench.until(taken.messageId, (now) => now.dispatch === 'accepted', 60_000);
  // The simulator keeps to the first token that it sees for an account.
  const wrong = await bench.addWorkspace({ accountSid: first.accountSid, token: 'another' });
  const hints = [];
  for (let i = 0; i < 40; i += 1) hints.push(await bench.accept(wrong.workspaceId, RECIPIENT));
  await expect
    .poll(async () => (await accountOf(bench, wrong.workspaceId)).refusedSince, { timeout: 30_000 })
    .toBeInstanceOf(Date);
  await pause(2_000);
  expect(await countAttempts(bench, wrong.workspaceId)).toBeLessThan(20);

  await bench.setToken(wrong.workspaceId, `token of ${first.accountSid}`);
  const untried = await Promise.all(hints.map(({ messageId }) => bench.row(messageId)));
  for (const { id, attempt } of untried) {
    if (attempt === 0) await bench.until(id, (now) => now.dispatch === 'accepted', 60_000);
  }
});
