import { randomUUID } from 'node:crypto';
import { createDispatchPolicy } from '@switchboard/core';
import {
  createWorkspaceFixture,
  createTestDatabase,
  type TestDatabase,
  type WorkspaceFixture,
  openTestDatabase,
  updateMessages,
} from '@switchboard/testing';
import { afterEach, beforeEach } from 'vitest';
import {
  createMessageStore,
  type Database,
  type MessageStore,
  type RetentionStore,
  withRetention,
  createAddUpCounts,
} from '../../src/index.ts';
import { firstIdOf } from '../../src/messages/rows/id-range.ts';

export const DAY_MS = 86_400_000;
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const policy = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] });

let testDatabase: TestDatabase;
export let database: Database;
export let messages: MessageStore;
export let workspace: WorkspaceFixture;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useRetentionDatabase(): void {
  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    database = openTestDatabase(testDatabase.url);
    messages = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
    workspace = await createWorkspaceFixture(testDatabase.url);
  });

  afterEach(async () => {
    await database.close();
    await testDatabase.drop();
  });
}

/** The start of the tests: all ages count from it, so that they stay the same when a day ends. */
const NOW = Date.now();

export const daysAgo = (days: number): Date => new Date(NOW - days * DAY_MS);

/** Creates an id for a time in the past. */
const idOf = (at: Date): string => firstIdOf(at).slice(0, 14) + `7${randomUUID().slice(15)}`;

export async function accept(createdAt = new Date()): Promise<string> {
  const id = idOf(createdAt);
  await messages.accept({
    id,
    createdAt,
    workspaceId: workspace.workspaceId,
    to: '+15005550100',
    from: workspace.from,
    body: 'Hello',
    media: [],
    segments: 1,
    scheduledAt: null,
    requestId: 'r',
    idempotency: { key: id, fingerprint: Buffer.alloc(32), response: null },
  });
  return id;
}

/** Adds a message that was delivered a number of days ago, with its events, and changes it by `set`. */
export async function addOld(days: number, set = 'version = version'): Promise<string> {
  const id = await accept(daysAgo(days));
  // As workers do with the counts of past days.
  while ((await createAddUpCounts(database)(1_000)) > 0);
  const delivered = `dispatch = 'accepted', status = 'delivered', due_at = NULL,
    started_at = created_at, updated_at = created_at`;
  for (const change of [delivered, set]) await updateMessage(id, change);
  await database.pool.query(
    `UPDATE message_events SET id = uuid_v7(now() - $2::int * interval '1 day')
     WHERE message_id = $1`,
    [id, days],
  );
  return id;
}

export const updateMessage = (id: string, set: string): Promise<number> =>
  updateMessages(database.pool, { set, where: 'id = $1', values: [id] });

/** Runs a complete retention in steps of `limit`. */
async function retain(
  store: RetentionStore,
  {
    before,
    eventsBefore = before,
    limit = 3,
  }: { before: Date; eventsBefore?: Date; limit?: number },
): Promise<number> {
  const { openSince } = await store.readHorizons();
  let afterSeq = 0;
  for (let count = limit; count === limit;) {
    const { workspaceId } = workspace;
    const old = { workspaceId, before: eventsBefore, afterSeq, limit };
    ({ count, lastSeq: afterSeq } = await store.deleteEvents(old));
  }
  let deleted = 0;
  for (let afterId: string | null = LOWEST_ID; afterId !== null;) {
    const done = await store.deleteMessages({
      workspaceId: workspace.workspaceId,
      before,
      openSince,
      afterId,
      limit,
    });
    deleted += done.count;
    afterId = done.lastId;
  }
  return deleted;
}

export async function run(horizons: Parameters<typeof retain>[1]): Promise<number> {
  const deleted = await withRetention(database, (store) => retain(store, horizons));
  if (deleted === null) throw new Error('the lock is held');
  return deleted;
}

export async function readIds(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM messages ORDER BY id');
  return rows.map(({ id }) => id);
}

export async function readSeqs(): Promise<number[]> {
  const { rows } = await database.pool.query<{ seq: number }>(
    'SELECT seq FROM message_events WHERE workspace_id = $1 ORDER BY seq',
    [workspace.workspaceId],
  );
  return rows.map(({ seq }) => seq);
}
