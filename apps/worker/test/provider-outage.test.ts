import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@switchboard/embedded-postgres';
import { startSimulator } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';

import { startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';
/** Longer than the hold, which is 2.5 s in these tests. */
const OUTAGE_MS = 6_000;

/** A busy machine may need a second for a response; only a failing provider may be slower. */
const TIMEOUTS = {
  PROVIDER_TIMEOUT_MS: '2000',
  LEASE_MS: '5000',
  UNKNOWN_LOOKUPS_MS: '500,1000,2500',
};

/** The sweeper finds the message: a busy machine may need longer to add a hint than the queue waits. */
const WITHOUT_HINT = { hint: false };

type Environment = Awaited<ReturnType<typeof startEnvironment>>;

async function accountOf(environment: Environment, workspaceId: string) {
  return environment.database.prisma.providerAccount.findFirstOrThrow({
    where: { workspaceId },
  });
}

/** Waits until the circuit breaker of the workspace's account is open. */
async function untilFailing(environment: Environment, workspaceId: string): Promise<void> {
  const failingSince = async () => (await accountOf(environment, workspaceId)).failingSince;
  await expect.poll(failingSince, { timeout: 60_000 }).toBeInstanceOf(Date);
}

function countAttempts(environment: Environment, workspaceId: string): Promise<number> {
  return environment.database.pool
    .query<{ n: number }>('SELECT sum(attempt)::int AS n FROM messages WHERE workspace_id = $1', [
      workspaceId,
    ])
    .then(({ rows }) => rows[0]?.n ?? 0);
}

describe('a provider that fails for longer than the hold', () => {
  test('no message fails while a provider answers 500, and each is sent once when it recovers', async ({
    onTestFinished,
  }) => {
    const environment = await startEnvironment({ hintGraceMs: 200 }, onTestFinished);
    const { workspaceId } = await environment.addWorkspace();
    await environment.behave({ reject_500: 1 });
    await environment.startWorker({ ...TIMEOUTS, WORKER_CONCURRENCY: '8' });
    const hints = [];
    for (let i = 0; i < 40; i += 1) hints.push(await environment.accept(workspaceId, RECIPIENT));
    await untilFailing(environment, workspaceId);
    await delay(OUTAGE_MS);
    // First attempts wait: no message is sent after the circuit breaker opened.
    const attempts = await countAttempts(environment, workspaceId);
    expect(attempts).toBeLessThan(20);
    expect((await accountOf(environment, workspaceId)).failingDetail).toMatch(/500/);

    await environment.behave({ reject_500: 0 });
    for (const { messageId } of hints) {
      const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
      expect(row.resends).toBeLessThanOrEqual(1);
    }
    expect(await environment.ledger()).toHaveLength(40);
    expect(await accountOf(environment, workspaceId)).toMatchObject({
      failingSince: null,
      failingDetail: null,
      probes: 0,
    });
  });

  test('the only message of a workspace waits with its resend until the provider recovers', async ({
    onTestFinished,
  }) => {
    const environment = await startEnvironment({ hintGraceMs: 200 }, onTestFinished);
    const { workspaceId } = await environment.addWorkspace();
    await environment.behave({ reject_500: 1 });
    await environment.startWorker(TIMEOUTS);
    const { messageId } = await environment.accept(workspaceId, RECIPIENT);
    await environment.until(messageId, (now) => now.dispatch === 'unknown');
    await delay(OUTAGE_MS);
    expect(await environment.row(messageId)).toMatchObject({ dispatch: 'unknown', attempt: 1 });
    await environment.behave({ reject_500: 0 });
    const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ attempt: 2, resends: 1 });
    expect(await environment.ledger()).toHaveLength(1);
  });

  test('two workers together make few attempts while the provider refuses connections', async ({
    onTestFinished,
  }) => {
    const port = await findFreePort();
    const environment = await startEnvironment(
      { providerUrl: `http://127.0.0.1:${port}`, hintGraceMs: 200 },
      onTestFinished,
    );
    const { workspaceId } = await environment.addWorkspace();
    await environment.startWorker({ ...TIMEOUTS, WORKER_CONCURRENCY: '8' });
    await environment.startWorker({ ...TIMEOUTS, WORKER_CONCURRENCY: '8' });
    const hints = [];
    for (let i = 0; i < 60; i += 1) hints.push(await environment.accept(workspaceId, RECIPIENT));
    await untilFailing(environment, workspaceId);
    await delay(OUTAGE_MS);
    expect(await countAttempts(environment, workspaceId)).toBeLessThan(60);
    const { probes } = await accountOf(environment, workspaceId);
    // 0.5 to 1 s, 1 to 2 s, 2 to 4 s: at most five in this time, by both workers together.
    expect(probes).toBeGreaterThanOrEqual(1);
    expect(probes).toBeLessThanOrEqual(6);

    const late = await startSimulator({ SIMULATOR_PORT: String(port) });
    onTestFinished(() => late.stop());
    for (const { messageId } of hints) {
      const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
      expect(row.resends).toBe(0);
    }
  });

  test('a circuit breaker closes when the provider answers probes and messages with 429', async ({
    onTestFinished,
  }) => {
    const environment = await startEnvironment({ hintGraceMs: 200 }, onTestFinished);
    const { workspaceId } = await environment.addWorkspace();
    await environment.behave({ reject_500: 1 });
    await environment.startWorker({ ...TIMEOUTS, WORKER_CONCURRENCY: '8' });
    const hints = [];
    for (let i = 0; i < 10; i += 1) {
      hints.push(await environment.accept(workspaceId, RECIPIENT, WITHOUT_HINT));
    }
    await untilFailing(environment, workspaceId);

    await environment.behave({ reject_500: 0, reject_429: 1 });
    const failingSince = async () => (await accountOf(environment, workspaceId)).failingSince;
    await expect.poll(failingSince, { timeout: 60_000 }).toBeNull();
    await environment.behave({ reject_429: 0 });
    for (const { messageId } of hints) {
      await environment.until(messageId, (now) => now.dispatch === 'accepted');
    }
    expect(await environment.ledger()).toHaveLength(10);
  });

  test('a 429 triggers no resend, because it does not prove that the provider accepts messages', async ({
    onTestFinished,
  }) => {
    const environment = await startEnvironment({ hintGraceMs: 200 }, onTestFinished);
    const { workspaceId } = await environment.addWorkspace();
    await environment.behave({ reject_500: 1 });
    const { logs } = await environment.startWorker(TIMEOUTS);
    const { messageId } = await environment.accept(workspaceId, RECIPIENT, WITHOUT_HINT);
    await environment.until(messageId, (now) => now.dispatch === 'unknown');
    await environment.behave({ reject_500: 0, reject_429: 1 });
    await environment.accept(workspaceId, RECIPIENT, WITHOUT_HINT);
    const countLookUps = () => logs.filter(({ msg }) => msg === 'outcome looked up').length;
    // The third lookup ends the hold, and each later one is due to a postponed resend.
    await expect.poll(countLookUps, { timeout: 60_000 }).toBeGreaterThanOrEqual(5);
    expect(await environment.row(messageId)).toMatchObject({ dispatch: 'unknown', resends: 0 });
    await environment.behave({ reject_429: 0 });
    const row = await environment.until(messageId, (now) => now.dispatch === 'accepted');
    expect(row.resends).toBe(1);
  });

  test('a failing provider does not affect other workspaces', async ({ onTestFinished }) => {
    const environment = await startEnvironment({ hintGraceMs: 200 }, onTestFinished);
    const failing = await environment.addWorkspace();
    const other = await environment.addWorkspace();
    await environment.database.prisma.providerAccount.updateMany({
      where: { workspaceId: failing.workspaceId },
      data: { failingSince: new Date(), probeAt: new Date(Date.now() + 3_600_000) },
    });
    await environment.startWorker(TIMEOUTS);
    const waits = await environment.accept(failing.workspaceId, RECIPIENT);
    const otherMessage = await environment.accept(other.workspaceId, RECIPIENT);
    await environment.until(otherMessage.messageId, (now) => now.dispatch === 'accepted');
    await delay(500);
    expect(await environment.row(waits.messageId)).toMatchObject({ dispatch: 'ready', attempt: 0 });
  });
});

test('a backlog with refused credentials waits without attempts and is sent when they are accepted again', async () => {
  const environment = await startEnvironment({ hintGraceMs: 200 });
  const first = await environment.addWorkspace();
  await environment.startWorker({ ...TIMEOUTS, WORKER_CONCURRENCY: '8' });
  const taken = await environment.accept(first.workspaceId, RECIPIENT);
  await environment.until(taken.messageId, (now) => now.dispatch === 'accepted');
  // The simulator accepts only the first token that it receives for an account.
  const wrong = await environment.addWorkspace({ accountSid: first.accountSid, token: 'another' });
  const hints = [];
  for (let i = 0; i < 40; i += 1)
    hints.push(await environment.accept(wrong.workspaceId, RECIPIENT));
  await expect
    .poll(async () => (await accountOf(environment, wrong.workspaceId)).refusedSince, {
      timeout: 60_000,
    })
    .toBeInstanceOf(Date);
  await delay(2_000);
  expect(await countAttempts(environment, wrong.workspaceId)).toBeLessThan(20);

  await environment.setToken(wrong.workspaceId, `token of ${first.accountSid}`);
  const untried = await Promise.all(hints.map(({ messageId }) => environment.row(messageId)));
  for (const { id, attempt } of untried) {
    if (attempt === 0) await environment.until(id, (now) => now.dispatch === 'accepted');
  }
});

test('a 429 to a probe neither sends a trial with refused credentials nor marks them as accepted', async () => {
  const environment = await startEnvironment({ hintGraceMs: 200 });
  const { workspaceId } = await environment.addWorkspace({ verified: false });
  await environment.database.prisma.providerAccount.updateMany({
    where: { workspaceId },
    data: { refusedSince: new Date() },
  });
  await environment.behave({ reject_429: 1 });
  const { messageId } = await environment.accept(workspaceId, RECIPIENT, WITHOUT_HINT);
  const { logs } = await environment.startWorker(TIMEOUTS);
  const probed = expect.objectContaining({ msg: 'account probed', result: 'throttled' });
  await expect.poll(() => logs, { timeout: 60_000 }).toContainEqual(probed);
  expect(await accountOf(environment, workspaceId)).toMatchObject({
    refusedSince: expect.any(Date),
    verifiedCredentials: null,
  });
  expect(await environment.row(messageId)).toMatchObject({ dispatch: 'ready', attempt: 0 });
});
