import { findFreePort } from '@switchboard/embedded-postgres';
import { createCircuitBreakerStore, createMeasureBacklog } from '@switchboard/database';
import { OPERATOR_CONNECTIONS } from '@switchboard/runtime';
import { EVENTUALLY, openIdleConnections, startWorker, updateMessages } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';
const LEASE_MS = 2_500;
/** The simulator answers 429 to the first two attempts. */
const THROTTLED_TWICE = '+15005550020';

test('the backlog metrics report the number and age of the messages that could be sent now, including those that a sweeper holds', async () => {
  const environment = await startEnvironment({ hintGraceMs: 0 });
  const { workspaceId } = await environment.addWorkspace();
  const measure = createMeasureBacklog(environment.database, 60_000);
  expect(await measure()).toEqual({ ready: 0, oldestSeconds: 0 });

  const old = await environment.accept(workspaceId, RECIPIENT, { hint: false });
  const young = await environment.accept(workspaceId, RECIPIENT, { hint: false });
  const later = await environment.accept(workspaceId, RECIPIENT, { hint: false });
  const retried = await environment.accept(workspaceId, RECIPIENT, { hint: false });
  const minutesAgo = (n: number) => `now() - interval '${n} minutes'`;
  const change = (id: string, set: string) =>
    updateMessages(environment.database.pool, { set, where: 'id = $1', values: [id] });
  await change(old.messageId, `created_at = ${minutesAgo(9)}`);
  await change(later.messageId, `created_at = ${minutesAgo(20)}, not_before = ${minutesAgo(-1)}`);
  await change(retried.messageId, `created_at = ${minutesAgo(30)}, not_before = ${minutesAgo(1)}`);
  // As if a sweeper had just taken them.
  await environment.store.takeDue({
    kinds: [{ dispatch: 'ready', isNew: true, graceMs: 0 }],
    limit: 10,
    capacities: new Map(),
    capacityOfOthers: 10,
    holdMs: LEASE_MS,
  });

  const { ready, oldestSeconds } = await measure();
  expect(ready).toBe(3);
  expect(oldestSeconds).toBeGreaterThan(9 * 60 - 1);
  expect(oldestSeconds).toBeLessThan(9 * 60 + 30);

  for (const hint of [old, young, retried]) await environment.store.claim(hint);
  expect(await measure()).toEqual({ ready: 0, oldestSeconds: 0 });
});

test('an account is in use while its workspace sends and the provider does not refuse it', async () => {
  const environment = await startEnvironment();
  const { countInUse } = createCircuitBreakerStore(environment.database);
  const [sending, refused, before] = [
    await environment.addWorkspace(),
    await environment.addWorkspace(),
    await environment.addWorkspace(),
  ].map(({ workspaceId }) => workspaceId);
  await environment.addWorkspace(); // sends nothing
  expect(await countInUse()).toBe(0);

  for (const id of [sending, refused, before]) {
    await environment.accept(String(id), RECIPIENT, { hint: false });
  }
  expect(await countInUse()).toBe(3);
  await environment.database.pool.query(
    'UPDATE provider_accounts SET refused_since = now() WHERE workspace_id = $1',
    [refused],
  );
  await environment.database.pool.query(
    'UPDATE message_slot_counts SET day = day - 2 WHERE workspace_id = $1',
    [before],
  );
  expect(await countInUse()).toBe(1);
});

test('accounts are counted by the type of their provider and by their state', async () => {
  const environment = await startEnvironment();
  const { countByState } = createCircuitBreakerStore(environment.database);
  const ids = [];
  for (let n = 0; n < 4; n += 1) ids.push((await environment.addWorkspace()).workspaceId);
  // No probe is due, so the states do not change.
  const later = `probe_at = now() + interval '1 hour'`;
  const changes = [
    `refused_since = now(), ${later}`,
    `failing_since = now(), ${later}`,
    'enabled = false',
  ];
  for (const [n, change] of changes.entries()) {
    await environment.database.pool.query(
      `UPDATE provider_accounts SET ${change} WHERE workspace_id = $1`,
      [ids[n]],
    );
  }
  const counts = await countByState();
  expect(counts.toSorted((a, b) => a.state.localeCompare(b.state))).toEqual(
    ['disabled', 'failing', 'ok', 'refused'].map((state) => ({ type: 'twilio', state, count: 1 })),
  );
  const { url } = await environment.startWorker({ METRICS_PORT: '0' });
  await expect
    .poll(
      async () => (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text(),
      EVENTUALLY,
    )
    .toContain('switchboard_provider_accounts{provider="twilio",state="failing"} 1');
});

test('a worker exports metrics of its sweeps, its event loop and its queues', async () => {
  const environment = await startEnvironment();
  const { workspaceId } = await environment.addWorkspace();
  const port = await findFreePort();
  const worker = await startWorker({
    DATABASE_URL: environment.databaseUrl,
    TWILIO_API_URL: environment.simulator.url,
    METRICS_PORT: String(port),
    SWEEP_MS: '100',
  });
  onTestFinished(() => worker.stop());
  // The worker leaves the message to its hint, which does not exist.
  const stuck = await environment.accept(workspaceId, RECIPIENT, { hint: false });
  await updateMessages(environment.database.pool, {
    set: `created_at = now() - interval '1 hour', due_at = now() + interval '50 s'`,
    where: 'id = $1',
    values: [stuck.messageId],
  });

  const read = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text);
    return Number(found?.[1] ?? NaN);
  };
  await expect
    .poll(() => read('switchboard_oldest_ready_seconds'), EVENTUALLY)
    .toBeGreaterThanOrEqual(3600);
  expect(await read('switchboard_ready_messages')).toBe(1);
  await expect
    .poll(() => read('switchboard_last_sweep_timestamp_seconds'), EVENTUALLY)
    .toBeGreaterThan(Date.now() / 1000 - 10);
  expect(await read('switchboard_pool_waiting')).toBe(0);
  expect(await read('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
});

test('a message without a hint is counted separately from messages that wait for a retry', async () => {
  const environment = await startEnvironment({ hintGraceMs: 0 });
  const { workspaceId } = await environment.addWorkspace();
  const { url } = await environment.startWorker({ METRICS_PORT: '0' });

  const { messageId } = await environment.accept(workspaceId, THROTTLED_TWICE, { hint: false });
  await environment.until(messageId, (row) => row.dispatch === 'accepted');

  const text = await (await fetch(`${url}/metrics`)).text();
  // A busy machine may add more.
  expect(Number(/state="ready"\} (\d+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(1);
  expect(Number(/state="postponed"\} (\d+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(2);
});

test('idle connections to METRICS_PORT beyond its limit are closed, and metrics are still served', async () => {
  const environment = await startEnvironment();
  const { url } = await environment.startWorker({ METRICS_PORT: '0' });
  const idle = await openIdleConnections(url, OPERATOR_CONNECTIONS + 50);
  const countClosed = () => idle.filter(({ destroyed }) => destroyed).length;
  const { status } = await fetch(`${url}/health/live`);
  expect(status).toBe(200);
  await expect.poll(countClosed, EVENTUALLY).toBeGreaterThanOrEqual(50);
  // Not by the timeout of a request, which ends all of them.
  expect(countClosed()).toBeLessThan(60);
  for (const socket of idle) socket.destroy();
});
