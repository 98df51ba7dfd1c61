import {
  createTransition,
  createUuidV7,
  createDispatchPolicy,
  decideClose,
  testWorkspaceOf,
} from '@switchboard/core';
import {
  type Database,
  createCloseWorkspace,
  createClosingStore,
  createMessageStore,
  createUnmatchedCallbackStore,
} from '@switchboard/database';
import {
  type TestDatabase,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DELETE_SOME, WORKSPACE_TABLES } from '../src/workspaces/delete-statements.ts';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  database = openTestDatabase(server.url);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

async function query<Row = Record<string, unknown>>(text: string, values: unknown[] = []) {
  return (await database.pool.query(text, values)).rows as Row[];
}

const NAMED = 'Closing';

async function addWorkspace() {
  const workspace = await createWorkspaceFixture(server.url);
  await query('UPDATE workspaces SET name = $2 WHERE id = $1', [workspace.workspaceId, NAMED]);
  return workspace;
}

const closeIt = ({ workspaceId, userId }: { workspaceId: string; userId: string }) =>
  createCloseWorkspace(database)(workspaceId, NAMED, { kind: 'user', userId, ip: '192.0.2.1' });

/** Adds finished messages, each with an event, in one statement. */
async function addMessages(workspaceId: string, count: number): Promise<void> {
  await query(
    `WITH added AS (
       INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, created_at, status, dispatch, updated_at)
       SELECT uuid_v7(now() + n * interval '1 ms'), $1, 'outbound', '+15550001111', '+15550002222', 'Hello', 1, now(),
         'delivered', 'accepted', now()
       FROM generate_series(1, $2::int) AS n RETURNING id
     )
     INSERT INTO message_events (workspace_id, seq, message_id, type, at, visible, status, message_version)
     SELECT $1, row_number() OVER (), id, 'created', now(), true, 'queued', 0 FROM added`,
    [workspaceId, count],
  );
}

/** Counts the rows of a workspace and its test workspace in each table that has one. */
async function countRows(workspaceId: string): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.column_name = 'workspace_id' AND c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name} WHERE workspace_id = ANY($1::uuid[])`,
      [[workspaceId, testWorkspaceOf(workspaceId)]],
    );
    if ((row?.n ?? 0) > 0) counts[name] = row?.n ?? 0;
  }
  return counts;
}

const never = (): boolean => false;

test('every table with a workspace is in the list of what is deleted with it', async () => {
  const tables = await query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.column_name = 'workspace_id' AND c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'`,
  );
  // Files go with the storage, mails with the accounts, and identifiers by a trigger of the messages.
  const others = ['media_files', 'mails', 'provider_sids'];
  expect(tables.map(({ name }) => name).toSorted()).toEqual(
    [...WORKSPACE_TABLES, ...others].toSorted(),
  );
});

test('a workspace is closed once, by its name, and with it end the access and the numbers of both modes', async () => {
  const workspace = await addWorkspace();
  const { workspaceId, userId, apiKeyId } = workspace;
  const by = { kind: 'user', userId, ip: null } as const;
  expect(await createCloseWorkspace(database)(workspaceId, 'closing', by)).toBe('wrong_name');
  const [first, second] = await Promise.all([closeIt(workspace), closeIt(workspace)]);
  const closed = { userIds: [userId], apiKeyIds: [apiKeyId] };
  expect([first, second]).toContainEqual(closed);
  expect([first, second]).toContainEqual('wrong_name');
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

test('no worker claims a message of a closed workspace, and a message that waits for its resend fails with an unknown outcome', async () => {
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
  const [queued, resent] = [await accept(), await accept()];
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
  expect(ready.map(({ id }) => id).toSorted()).toEqual([queued, resent].toSorted());
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

  expect(await store.takeDue()).toEqual({ workspaceId, isOverdue: false });
  await store.postpone(workspaceId, 0);
  await query(`UPDATE workspaces SET closed_at = now() - interval '25 hours' WHERE id = $1`, [
    workspaceId,
  ]);
  expect(await store.takeDue()).toEqual({ workspaceId, isOverdue: true });
  await store.postpone(workspaceId, 3_600_000);
});

test('a deletion that stops after any step is finished by the next worker, and leaves nothing of the workspace', async () => {
  const workspace = await addWorkspace();
  const { workspaceId } = workspace;
  await addMessages(workspaceId, 1_200);
  await closeIt(workspace);
  let workers = 0;
  for (let hasMore = true; hasMore; workers += 1) {
    // Each worker stops after its first batch.
    hasMore = await createClosingStore(database).deleteRows(workspaceId, () => true);
    if (workers > 100) throw new Error('the deletion does not end');
  }
  expect(workers).toBeGreaterThan(5);
  const store = createClosingStore(database);
  expect(await store.finish(workspaceId)).toBe(true);
  expect(await store.finish(workspaceId)).toBe(true);
  expect(await countRows(workspaceId)).toEqual({});
  expect(await query('SELECT 1 FROM workspaces WHERE id = $1', [workspaceId])).toEqual([]);
});

test('the deletion of 20,000 messages takes no lock that another workspace waits for, and skips rows in use', async () => {
  const workspace = await addWorkspace();
  const neighbor = await addWorkspace();
  await addMessages(workspace.workspaceId, 20_000);
  await addMessages(neighbor.workspaceId, 3);
  await closeIt(workspace);
  const store = createClosingStore(database);
  // The neighbor's transaction has changed a row in each of the large tables, and has not ended.
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  onTestFinished(() => client.end());
  const { workspaceId } = neighbor;
  await client.query('BEGIN');
  await client.query(`UPDATE message_records SET body = 'Changed' WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  await client.query(`UPDATE message_events SET detail = 'Changed' WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  const held = await client.query(
    'SELECT 1 FROM message_records WHERE workspace_id = $1 ORDER BY id LIMIT 1 FOR UPDATE',
    [workspace.workspaceId],
  );
  expect(held.rowCount).toBe(1);
  expect(await store.deleteRows(workspace.workspaceId, never)).toBe(false);
  expect(await countRows(workspace.workspaceId)).toMatchObject({ message_records: 1 });
  expect(await store.finish(workspace.workspaceId)).toBe(false);
  await client.query('COMMIT');
  expect(await store.deleteRows(workspace.workspaceId, never)).toBe(false);
  expect(await store.finish(workspace.workspaceId)).toBe(true);
  expect(await countRows(workspace.workspaceId)).toEqual({});
  expect(await countRows(workspaceId)).toMatchObject({ message_records: 3, message_events: 3 });
});

test('a step of the deletion reads the rows by the primary key, and not from the start of the table', async () => {
  const { workspaceId } = await addWorkspace();
  // The more of a table belongs to the workspace, the cheaper a read from its start seems.
  await addMessages(workspaceId, 20_000);
  await query('VACUUM ANALYZE');
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  onTestFinished(() => client.end());
  // A sort of the few rows of the other tables is cheaper than their index.
  await client.query('SET enable_sort = off');
  const others: string[] = [];
  for (const [index, table] of WORKSPACE_TABLES.entries()) {
    const explain = `EXPLAIN ${DELETE_SOME[index]}`.replaceAll('$1', `'${workspaceId}'`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(explain);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const isByKey = new RegExp(`Scan using ${table}_pkey on ${table} ${table}_1 `).test(plan);
    // A workspace has one row.
    if (table === 'workspace_routing') continue;
    if (!isByKey || plan.includes('Sort')) others.push(plan);
  }
  expect(others).toEqual([]);
});
