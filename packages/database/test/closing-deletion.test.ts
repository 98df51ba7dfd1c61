import { createClosingStore } from '@switchboard/database';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DELETE_SOME, WORKSPACE_TABLES } from '../src/workspaces/delete-statements.ts';
import {
  addMessages,
  addWorkspace,
  closeIt,
  countRows,
  database,
  query,
  server,
  useClosing,
} from './use-closing.ts';

const never = (): boolean => false;

useClosing();

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

test('a webhook endpoint in use receives no event of the deletion of opt-outs', async () => {
  const workspace = await addWorkspace();
  const { workspaceId } = workspace;
  await closeIt(workspace);
  await query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, event_types, sealed_secret, created_at, updated_at, position)
     VALUES (uuid_v7(now()), $1, 'https://example.com/', '{}', 'x', now(), now(), '{}')`,
    [workspaceId],
  );
  await query(
    `INSERT INTO opt_outs (workspace_id, number, reason, created_at) VALUES ($1, '+15550001111', 'manual', now())`,
    [workspaceId],
  );
  await query('DELETE FROM webhook_other_events WHERE workspace_id = $1', [workspaceId]);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM webhook_endpoints WHERE workspace_id = $1 FOR UPDATE', [
    workspaceId,
  ]);
  const store = createClosingStore(database);
  expect(await store.deleteRows(workspaceId, never)).toBe(true);
  expect(await countRows(workspaceId)).toMatchObject({ opt_outs: 1, webhook_endpoints: 1 });
  expect(await countRows(workspaceId)).not.toHaveProperty('webhook_other_events');
  await client.query('COMMIT');
  expect(await store.deleteRows(workspaceId, never)).toBe(false);
  expect(await store.finish(workspaceId)).toBe(true);
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

test('a statement of another workspace does not wait for a deletion whose transaction is open', async () => {
  const workspace = await addWorkspace();
  const neighbor = await addWorkspace();
  for (const { workspaceId } of [workspace, neighbor]) await addMessages(workspaceId, 600);
  await closeIt(workspace);
  const client = new pg.Client({ connectionString: server.url });
  const other = new pg.Client({ connectionString: server.url });
  for (const one of [client, other]) {
    await one.connect();
    onTestFinished(() => one.end());
  }
  await client.query('BEGIN');
  for (const statement of DELETE_SOME) await client.query(statement, [workspace.workspaceId]);
  // Any wait would be endless.
  await other.query(`SET lock_timeout = '5s'`);
  for (const statement of DELETE_SOME) await other.query(statement, [neighbor.workspaceId]);
  const added = await addWorkspace();
  await addMessages(added.workspaceId, 3);
  await client.query('ROLLBACK');
  expect(await countRows(neighbor.workspaceId)).toMatchObject({ message_records: 100 });
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
