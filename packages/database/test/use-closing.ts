import { testWorkspaceOf } from '@switchboard/core';
import { type Database, createCloseWorkspace } from '@switchboard/database';
import {
  type TestDatabase,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll } from 'vitest';

export let server: TestDatabase;
export let database: Database;
/** Starts a database for the tests of a file. */
export function useClosing(): void {
  beforeAll(async () => {
    server = await createTestDatabase();
    database = openTestDatabase(server.url);
  });
  afterAll(async () => {
    await database.close();
    await server.drop();
  });
}

export async function query<Row = Record<string, unknown>>(text: string, values: unknown[] = []) {
  return (await database.pool.query(text, values)).rows as Row[];
}

export const NAMED = 'Closing';

export async function addWorkspace() {
  const workspace = await createWorkspaceFixture(server.url);
  await query('UPDATE workspaces SET name = $2 WHERE id = $1', [workspace.workspaceId, NAMED]);
  return workspace;
}

export const closeIt = ({ workspaceId, userId }: { workspaceId: string; userId: string }) =>
  createCloseWorkspace(database)(workspaceId, NAMED, { kind: 'user', userId, ip: '192.0.2.1' });

/** Adds finished messages, each with an event, in one statement. */
export async function addMessages(workspaceId: string, count: number): Promise<void> {
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
export async function countRows(workspaceId: string): Promise<Record<string, number>> {
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
