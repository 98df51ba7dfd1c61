import {
  createTransition,
  createUuidV7,
  createDispatchPolicy,
  decideClose,
} from '@switchboard/core';
import {
  createCloseWorkspace,
  createClosingStore,
  createMessageStore,
  createUnmatchedCallbackStore,
} from '@switchboard/database';
import { expect, test } from 'vitest';
import { NAMED, addWorkspace, closeIt, database, query, useClosing } from './use-closing.ts';

useClosing();

test('a workspace is closed once, by its name, and with it end the access and the numbers of both modes', async () => {
  const workspace = await addWorkspace();
  const { workspaceId, userId, apiKeyId } = workspace;
  const by = { kind: 'user', userId, ip: null } as const;
  expect(await createCloseWorkspace(database)(workspaceId, 'closing', by)).toBe('wrong_name');
  const [first, second] = await Promise.all([closeIt(workspace), closeIt(workspace)]);
  const closed = { userIds: [userId], apiKeyIds: [apiKeyId] };
  expect([first, second]).toContainEqual(closed);
  expect([first, second]).toContainEqual('missing');
  expect(await query('SELECT 1 FROM members WHERE workspace_id = $1', [workspaceId])).toEqual([]);
  expect(await query('SELECT 1 FROM phone_numbers WHERE workspace_id = $1', [workspaceId])).toEqual(
    [],
  );
  expect(
    await query('SELECT enabled FROM provider_accounts WHERE workspace_id = $1', [workspaceId]),
  ).toEqual([{ enabled: false }]);
  expect(
    await query('SELECT revoked_at IS NULL AS works FROM api_keys WHERE workspace_id = $1', [
      workspaceId,
    ]),
  ).toEqual([{ works: false }]);
  expect(
    await query(
      `SELECT action, target, detail FROM audit_entries WHERE workspace_id = $1 AND user_id = $2`,
      [workspaceId, userId],
    ),
  ).toContainEqual({ action: 'workspace.closed', target: workspaceId, detail: { name: NAMED } });
  await createClosingStore(database).postpone(workspaceId, 3_600_000);
});

test('no worker claims a message of a closed workspace, and a message that waits for its resend fails with an unknown outcome, unless a lookup proved that it was not sent', async () => {
  const workspace = await addWorkspace();
  const { workspaceId } = workspace;
  const messages = createMessageStore(database, { leaseMs: 1_000, hintGraceMs: 1_000 });
  const accept = async () => {
    const createdAt = new Date();
    const id = createUuidV7(createdAt.getTime());
    const message = { body: 'Hello', media: [], segments: 1, scheduledAt: null };
    const shared = { id, createdAt, workspaceId, to: '+15550001111', from: '+15005550006' };
    await messages.accept({ ...shared, ...message, requestId: 'r', idempotency: null });
    return id;
  };
  const [queued, resent, proved] = [await accept(), await accept(), await accept()];
  await query('UPDATE message_progress SET resends = 1, proved_resends = 1 WHERE id = $1', [
    proved,
  ]);
  await query('UPDATE message_progress SET resends = 1 WHERE id = $1', [resent]);
  await closeIt(workspace);
  expect(await messages.claim({ messageId: queued, workspaceId })).toBeNull();
  expect(await messages.claim({ messageId: resent, workspaceId })).toBeNull();

  const store = createClosingStore(database);
  const { transition } = createTransition({
    store: messages,
    unmatchedCallbacks: createUnmatchedCallbackStore(database),
    publishLater: () => undefined,
    policy: createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] }),
    metrics: {
      duplicates: { inc: () => undefined },
      unmatchedMerged: { inc: () => undefined },
      failedWrites: { inc: () => undefined },
    },
  });
  const ready = await store.listReady(workspaceId, 10);
  expect(ready.map(({ id }) => id).toSorted()).toEqual([queued, resent, proved].toSorted());
  for (const message of ready)
    await transition(message, decideClose, { log: { warn: () => undefined } as never });
  expect(await store.listReady(workspaceId, 10)).toEqual([]);
  expect(
    await query(
      `SELECT id, status, error_code AS code, error_detail AS detail FROM messages WHERE workspace_id = $1 ORDER BY id`,
      [workspaceId],
    ),
  ).toEqual([
    { id: queued, status: 'canceled', code: null, detail: 'The workspace was closed' },
    {
      id: resent,
      status: 'failed',
      code: 'outcome_unknown',
      detail: expect.stringContaining('The workspace was closed') as string,
    },
    { id: proved, status: 'canceled', code: null, detail: 'The workspace was closed' },
  ]);
  await store.postpone(workspaceId, 3_600_000);
});

test('the data waits for messages in flight and for webhooks, for a day at most', async () => {
  const workspace = await addWorkspace();
  const { workspaceId } = workspace;
  const store = createClosingStore(database);
  await closeIt(workspace);
  expect(await store.isWaiting(workspaceId)).toBe(false);
  await query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, created_at)
     VALUES (uuid_v7(now()), $1, 'outbound', '+15550001111', '', 1, now())`,
    [workspaceId],
  );
  await query(
    `INSERT INTO message_progress (id, workspace_id, due_at, updated_at, status, dispatch, "to")
     SELECT id, workspace_id, now(), now(), 'sending', 'inflight', "to" FROM message_records WHERE workspace_id = $1`,
    [workspaceId],
  );
  expect(await store.isWaiting(workspaceId)).toBe(true);
  const setDispatch = (dispatch: string) =>
    query('UPDATE message_progress SET dispatch = $2::dispatch_state WHERE workspace_id = $1', [
      workspaceId,
      dispatch,
    ]);
  // A claim has ended, or a cancellation failed.
  await setDispatch('ready');
  expect(await store.isWaiting(workspaceId)).toBe(true);
  await setDispatch('accepted');
  expect(await store.isWaiting(workspaceId)).toBe(false);
  await query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, event_types, sealed_secret, created_at, updated_at, position)
     VALUES (uuid_v7(now()), $1, 'https://example.com/', '{}', 'x', now(), now(), '{}')`,
    [workspaceId],
  );
  await query('UPDATE event_counters SET last_seq = 1 WHERE workspace_id = $1 AND slot = 0', [
    workspaceId,
  ]);
  expect(await store.isWaiting(workspaceId)).toBe(true);
  await query(`UPDATE webhook_endpoints SET position = '{1}' WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  expect(await store.isWaiting(workspaceId)).toBe(false);
  // `workspace.closed` itself, after its first attempt failed.
  await query(
    `INSERT INTO webhook_deliveries (workspace_id, endpoint_id, sequence, event_id, event_type, data, event_at, status, next_attempt_at, created_at)
     SELECT workspace_id, id, 1, id, 'audit_entry.created', '{}', now(), 'pending', now(), now()
     FROM webhook_endpoints WHERE workspace_id = $1`,
    [workspaceId],
  );
  expect(await store.isWaiting(workspaceId)).toBe(true);
  await query(
    `UPDATE webhook_deliveries SET status = 'delivered', next_attempt_at = NULL WHERE workspace_id = $1`,
    [workspaceId],
  );
  expect(await store.isWaiting(workspaceId)).toBe(false);
  const erasureId = createUuidV7(Date.now());
  await query(
    `INSERT INTO erasures (id, workspace_id, number_hash, numbers, before_id, total, erased_at, next_step_at)
     VALUES ($2::uuid, $1, 'hash', '{}', $2, 1, now(), NULL)`,
    [workspaceId, erasureId],
  );
  await query(
    `INSERT INTO message_redactions (workspace_id, erasure_id, message_id, provider_sid) VALUES ($1, $2::uuid, $2, 'SM1')`,
    [workspaceId, erasureId],
  );
  expect(await store.isWaiting(workspaceId)).toBe(true);
  expect(await store.countRedactions(workspaceId)).toBe(1);
  await query('DELETE FROM message_redactions WHERE workspace_id = $1', [workspaceId]);
  expect(await store.isWaiting(workspaceId)).toBe(false);

  expect(await store.takeDue()).toEqual({ workspaceId, isOverdue: false });
  await store.postpone(workspaceId, 0);
  await query(`UPDATE workspaces SET closed_at = now() - interval '25 hours' WHERE id = $1`, [
    workspaceId,
  ]);
  expect(await store.takeDue()).toEqual({ workspaceId, isOverdue: true });
  await store.postpone(workspaceId, 3_600_000);
});

test('the data waits while another workspace looks up a message at the same account of the vendor', async () => {
  const workspace = await addWorkspace();
  const other = await addWorkspace();
  const { workspaceId } = workspace;
  const store = createClosingStore(database);
  await closeIt(workspace);
  await query(
    `UPDATE provider_accounts SET vendor_account_id = (SELECT vendor_account_id FROM provider_accounts WHERE workspace_id = $2)
     WHERE workspace_id = $1`,
    [other.workspaceId, workspaceId],
  );
  await query(
    `WITH added AS (
       INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, created_at)
       VALUES (uuid_v7(now()), $1, 'outbound', '+15550001111', '', 1, now()) RETURNING id
     )
     INSERT INTO message_progress (id, workspace_id, due_at, updated_at, status, dispatch, "to", started_at, vendor_account_id)
     SELECT added.id, $1, now(), now(), 'sending', 'unknown', '+15550001111', now(), a.vendor_account_id
     FROM added, provider_accounts a WHERE a.workspace_id = $1`,
    [other.workspaceId],
  );
  expect(await store.isWaiting(workspaceId)).toBe(true);
  const change = (values: string) =>
    query(`UPDATE message_progress SET ${values} WHERE workspace_id = $1`, [other.workspaceId]);
  await change(`dispatch = 'ready', resends = 1`);
  expect(await store.isWaiting(workspaceId)).toBe(true);
  // What is tried later is not looked up among what this workspace has sent.
  await change(`dispatch = 'unknown', started_at = now() + interval '5 minutes'`);
  expect(await store.isWaiting(workspaceId)).toBe(false);
  await change(`dispatch = 'accepted', started_at = now()`);
  expect(await store.isWaiting(workspaceId)).toBe(false);
  await store.postpone(workspaceId, 3_600_000);
});
