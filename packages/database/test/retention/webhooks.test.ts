import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  addOld,
  database,
  daysAgo,
  readSeqs,
  run,
  useRetentionDatabase,
  workspace,
} from './environment.ts';

useRetentionDatabase();

/** Adds a webhook endpoint that has passed the events up to a number. */
async function addEndpoint(position: number, enabled = true): Promise<string> {
  const id = randomUUID();
  await database.pool.query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, sealed_secret, event_types, position, enabled,
       disabled_reason, created_at, updated_at)
     VALUES ($1, $2, 'https://example.com/', '', '{}', ARRAY[$3::bigint], $4, $5, now(), now())`,
    [id, workspace.workspaceId, position, enabled, enabled ? null : 'user'],
  );
  return id;
}

test('events that an enabled webhook endpoint has not passed are kept', async () => {
  for (let days = 20; days > 15; days -= 1) await addOld(days);
  await addEndpoint(5);
  await addEndpoint(2);
  await addEndpoint(0, false);
  await run({ before: daysAgo(10) });
  expect(await readSeqs()).toEqual([3, 4, 5]);
});

test('events of open batches and pending deliveries are kept', async () => {
  for (let days = 20; days > 14; days -= 1) await addOld(days);
  const id = await addEndpoint(6);
  await database.pool.query(
    `INSERT INTO webhook_batches (workspace_id, endpoint_id, first_sequence, events, claimed_at)
     VALUES ($2, $1, 5, '{5,6}', now())`,
    [id, workspace.workspaceId],
  );
  await run({ before: daysAgo(10) });
  expect(await readSeqs()).toEqual([5, 6]);

  await database.pool.query(
    `INSERT INTO webhook_deliveries (endpoint_id, sequence, workspace_id, event_seq, event_id, event_type,
       event_at, status, next_attempt_at, created_at)
     VALUES ($1, 6, $2, 6, $1, 'message.created', now(), 'pending', now(), now())`,
    [id, workspace.workspaceId],
  );
  await database.pool.query('UPDATE webhook_batches SET finished_at = now()');
  await run({ before: daysAgo(10) });
  expect(await readSeqs()).toEqual([6]);
});

test('in a workspace with a webhook endpoint, the events of the last seven days are kept for a replay', async () => {
  for (const days of [9, 8, 6, 5]) await addOld(days);
  await addEndpoint(4);
  await run({ before: daysAgo(10), eventsBefore: daysAgo(1) });
  expect(await readSeqs()).toEqual([3, 4]);
});
