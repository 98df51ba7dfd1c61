import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { addSecondAccount } from './add-second-account.ts';
import { LONG_TIMEOUTS, SLOW_CALLS, startEnvironment } from './start-environment.ts';
import { startHungServer } from './start-hung-server.ts';

const RECIPIENT = '+14155550100';
const HUNG = '+15005550006';
const HEALTHY = '+14155550123';

type Environment = Awaited<ReturnType<typeof startEnvironment>>;

async function countRows({ database }: Environment): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ key: string; n: number }>(
    `SELECT concat("from", ' ', dispatch) AS key, count(*)::int AS n FROM messages GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ key, n }) => [key, n]));
}

test('an account that accepts connections and never answers delays no message of the other account of its workspace', async () => {
  // A probe has no text.
  const hung = await startHungServer('Body=Text');
  const environment = await startEnvironment({ providerUrl: hung.url, hintGraceMs: 200 });
  const { workspaceId } = await environment.addWorkspace();
  await addSecondAccount(environment, workspaceId, { type: 'sandbox', account: 'sandbox-1' });
  // No call ends before the test does.
  await environment.startWorker({ ...SLOW_CALLS, WORKER_CONCURRENCY: '4' });
  for (let i = 0; i < 40; i += 1) {
    await environment.accept(workspaceId, RECIPIENT, { from: HUNG });
    await environment.accept(workspaceId, RECIPIENT, { from: HEALTHY });
  }
  await expect
    .poll(() => countRows(environment), EVENTUALLY)
    .toMatchObject({ [`${HEALTHY} accepted`]: 40 });
  const rows = await countRows(environment);
  expect(rows[`${HUNG} unknown`]).toBeUndefined();
  // One account of several gets at most three quarters of its workspace's slots.
  expect(hung.countRequests()).toBeLessThanOrEqual(3);
});

test('messages that wait for an account are sent by the other account as soon as its circuit breaker opens, except for those handed over', async () => {
  const hung = await startHungServer('Body=Text');
  const environment = await startEnvironment({ providerUrl: hung.url, hintGraceMs: 200 });
  const { workspaceId } = await environment.addWorkspace();
  await addSecondAccount(environment, workspaceId, { type: 'sandbox', account: 'sandbox-1' });
  const settings = { ...LONG_TIMEOUTS, PROVIDER_TIMEOUT_MS: '3000', WORKER_CONCURRENCY: '8' };
  await environment.startWorker(settings);
  for (let i = 0; i < 60; i += 1) {
    await environment.accept(workspaceId, RECIPIENT, { from: HUNG });
  }
  const countReady = async () => (await countRows(environment))[`${HUNG} ready`] ?? 0;
  await expect.poll(countReady, EVENTUALLY).toBe(0);
  const isOpen = async () => {
    const { rows } = await environment.database.pool.query(
      'SELECT FROM provider_accounts WHERE failing_since IS NOT NULL',
    );
    return rows.length;
  };
  expect(await isOpen()).toBe(1);
  const countUnknown = async () => (await countRows(environment))[`${HUNG} unknown`] ?? 0;
  await expect.poll(countUnknown, EVENTUALLY).toBe(hung.countRequests());
  const rows = await countRows(environment);
  expect(rows).toEqual({
    [`${HUNG} unknown`]: hung.countRequests(),
    [`${HEALTHY} accepted`]: 60 - hung.countRequests(),
  });
  expect(hung.countRequests()).toBeLessThan(20);
});
