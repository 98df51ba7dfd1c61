import {
  EVENTUALLY,
  type ChildProcess,
  createTestDatabase,
  startWorker,
} from '@switchboard/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startEnvironment } from './start-environment.ts';

// The worker runs as a separate process, which the tests stop, kill and freeze.

const RECIPIENT = '+14155550100';

async function start() {
  const environment = await startEnvironment();
  const { workspaceId } = await environment.addWorkspace();
  const startProcess = (env: Record<string, string> = {}): Promise<ChildProcess> =>
    startWorker({
      DATABASE_URL: environment.databaseUrl,
      TWILIO_API_URL: environment.simulator.url,
      // Short, so that tests do not wait long for leases. A busy machine may need seconds for a call.
      PROVIDER_TIMEOUT_MS: '4000',
      LEASE_MS: '5000',
      UNKNOWN_LOOKUPS_MS: '500,1500,5000',
      SWEEP_MS: '100',
      ...env,
    });
  return { environment, workspaceId, startProcess };
}

test('a worker process reports that it is ready, sends, and exits with code 0 on SIGTERM', async () => {
  const { environment, workspaceId, startProcess } = await start();
  const worker = await startProcess();
  const { messageId } = await environment.accept(workspaceId, RECIPIENT);
  await environment.until(messageId, (row) => row.dispatch === 'accepted');
  await worker.stop();
  expect(worker.logs.join('\n')).toContain('"exit_code":0');
});

test('a worker refuses to start with a lease shorter than the timeout of a call', async () => {
  const { startProcess } = await start();
  await expect(startProcess({ LEASE_MS: '1000' })).rejects.toThrow('LEASE_MS: must be above');
});

test('a worker refuses to start on a database older than its code, and names the command to run', async () => {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.drop());
  await expect(startWorker({ DATABASE_URL: database.url })).rejects.toThrow(
    /older than this version: run `npm run migrate` first \(\d+_baseline/,
  );
});

test('no message is sent twice after a worker was killed during its provider calls', async () => {
  const { environment, workspaceId, startProcess } = await start();
  await environment.behave({ latency_ms: 800 });
  const first = await startProcess();
  const hints = await Promise.all(
    Array.from({ length: 4 }, () =>
      environment.accept(workspaceId, RECIPIENT, { body: 'the same' }),
    ),
  );
  await expect.poll(() => environment.ledger(), EVENTUALLY).toHaveLength(4);
  await first.kill();
  const left = await Promise.all(hints.map(({ messageId }) => environment.row(messageId)));
  const second = await startProcess();
  for (const { id, attempt } of left) {
    const row = await environment.until(id, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ attempt, resends: 0 });
  }
  expect(await environment.ledger()).toHaveLength(4);
  await second.stop();
});

test('no message is sent twice by a worker that was frozen until its leases expired', async () => {
  const { environment, workspaceId, startProcess } = await start();
  const [frozen, other] = await Promise.all([
    startProcess({ WORKER_CONCURRENCY: '4' }),
    startProcess({ WORKER_CONCURRENCY: '4' }),
  ]);
  const hints = [];
  // The worker is frozen while messages are in every phase: waiting, claimed, being written,
  // answered.
  for (let i = 0; i < 60; i += 1) {
    hints.push(await environment.accept(workspaceId, RECIPIENT));
    if (i === 40) frozen.signal('SIGSTOP');
  }
  await delay(7_000);
  frozen.signal('SIGCONT');
  await environment.database.pool.query(
    `UPDATE message_progress SET due_at = now() WHERE dispatch = 'ready' AND due_at > now()`,
  );
  for (const { messageId } of hints) {
    await environment.until(messageId, (now) => now.dispatch === 'accepted');
  }
  expect(await environment.ledger()).toHaveLength(60);
  await Promise.all([frozen.stop(), other.stop()]);
});
