import {
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, createIndexMessages } from '../src/index.ts';
import { CHUNK_MESSAGES, RULE } from '../src/messages/search-index/chunks.ts';
import { waitForChunkWriters } from '../src/messages/search-index/lock-chunks.ts';

let server: TestDatabase;
let database: Database;
let workspace: WorkspaceFixture;
beforeAll(async () => {
  server = await createTestDatabase();
  database = openTestDatabase(server.url);
  workspace = await createWorkspaceFixture(server.url);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const readRules = async (): Promise<number[]> => {
  const { rows } = await database.pool.query<{ rule: number }>('SELECT rule FROM message_chunks');
  return rows.map(({ rule }) => rule);
};

/** Writes words while an erasure of the workspace is about to remove some. Returns whether there was more to do. */
async function writeDuringErasure(): Promise<boolean> {
  const eraser = await database.pool.connect();
  try {
    await eraser.query('BEGIN');
    await waitForChunkWriters(
      async (statement, values) => (await eraser.query<never>(statement as string, values)).rows,
      workspace.workspaceId,
    );
    return await createIndexMessages(database)(60_000);
  } finally {
    await eraser.query('ROLLBACK');
    eraser.release();
  }
}

test('words of new messages and of changed chunks are not written while an erasure removes words of the workspace', async () => {
  await database.pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, 'inbound', '+15005550006', '+14155550100', 'Hello', 1, 'received', at, at, 'accepted'
     FROM generate_series(1, $2::int) n, LATERAL (
       SELECT date_trunc('milliseconds', now() - interval '1 hour' + n * interval '1 second')
     ) AS times(at)`,
    [workspace.workspaceId, CHUNK_MESSAGES],
  );
  expect(await writeDuringErasure()).toBe(true);
  expect(await readRules()).toEqual([]);
  expect(await createIndexMessages(database)(60_000)).toBe(false);
  expect(await readRules()).toEqual([RULE]);

  await database.pool.query('UPDATE message_chunks SET rule = 0');
  expect(await writeDuringErasure()).toBe(true);
  expect(await readRules()).toEqual([0]);
  expect(await createIndexMessages(database)(60_000)).toBe(false);
  expect(await readRules()).toEqual([RULE]);
});
