import { createDispatchPolicy } from '@switchboard/core';
import { createMessageStore } from '@switchboard/database';
import { createLogger } from '@switchboard/runtime';
import { expect, test } from 'vitest';
import { createSweepDue } from '../src/sweep/sweep-due.ts';
import { createWorkerMetrics } from '../src/worker-metrics.ts';
import { updateMessages } from '@switchboard/testing';
import { FROM, startEnvironment } from './start-environment.ts';

/** The ages of the messages that a sweep takes, in ascending order. */
const ALL_AGES = Array.from({ length: 400 }, (_, index) => index + 1);

/**
 * Sweeps once while a workspace has 400 due messages. Returns how many seconds ago each message
 * that was taken became due, minus two minutes. A hint of the workspace waits in this process
 * already.
 */
async function sweepAges({ jobs, isScheduled }: { jobs: number; isScheduled: boolean }) {
  const { database, addWorkspace } = await startEnvironment();
  const { workspaceId } = await addWorkspace();
  await database.pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status, created_at,
       updated_at, dispatch, scheduled_at)
     SELECT gen_random_uuid(), $1::uuid, 'outbound', '+14155550100', $2, age, 1, 'queued', now(), now(),
       'ready', CASE WHEN $3 THEN now() END
     FROM generate_series(1, $4::int) AS age`,
    [workspaceId, FROM, isScheduled, ALL_AGES.length],
  );
  await updateMessages(database.pool, {
    set: `due_at = now() - body::int * interval '1 second' - interval '2 minutes'`,
    where: 'due_at IS NULL',
  });
  const taken: string[] = [];
  const sweepDue = createSweepDue({
    store: createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 0 }),
    isQueueReachable: () => true,
    countPending: () => jobs,
    dispatchCapacity: () => ({
      limit: 20_000,
      capacities: new Map([[workspaceId, 1_999]]),
      capacityOfOthers: 2_000,
    }),
    dispatchHere: ({ messageId }) => taken.push(messageId) > 0,
    transition: async () => null,
    reconcileCapacity: () => ({ limit: 1, capacities: new Map(), capacityOfOthers: 1 }),
    reconcile: () => true,
    policy: createDispatchPolicy({ unknownLookupsMs: [60_000], pollsMs: [60_000] }),
    holdMs: 60_000,
    concurrency: 50,
    metrics: createWorkerMetrics({ poolWaiting: () => 0 }),
    tracer: null,
    logger: createLogger({ name: 'worker', level: 'silent' }),
  });
  await sweepDue();
  const { rows } = await database.pool.query<{ age: number }>(
    'SELECT body::int AS age FROM messages WHERE id = ANY($1::uuid[]) ORDER BY 1',
    [taken],
  );
  return rows.map(({ age }) => age);
}

test('a sweep leaves a backlog to the long queue that holds its hints, except for the 100 oldest messages', async () => {
  expect(await sweepAges({ jobs: 1_000, isScheduled: false })).toEqual(ALL_AGES.slice(-100));
});

test('a sweep takes all scheduled messages although the queue is long, because the queue has no hints for them', async () => {
  expect(await sweepAges({ jobs: 1_000, isScheduled: true })).toEqual(ALL_AGES);
});

test('a sweep takes all messages whose hints a short queue should have delivered', async () => {
  expect(await sweepAges({ jobs: 0, isScheduled: false })).toEqual(ALL_AGES);
});
