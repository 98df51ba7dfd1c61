import { randomUUID } from 'node:crypto';
import { createUuidV7 } from '@switchboard/core';
import {
  createTestDatabase,
  createWorkspaceFixture,
  type TestDatabase,
  type WorkspaceFixture,
  openTestDatabase,
  updateMessages,
} from '@switchboard/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createMessageStore,
  type Database,
  type MessageStore,
  type TakeDueOptions,
} from '../src/index.ts';

let testDatabase: TestDatabase;
let database: Database;
let messages: MessageStore;
let busy: WorkspaceFixture;
let idle: WorkspaceFixture;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  messages = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 0 });
  busy = await createWorkspaceFixture(testDatabase.url);
  idle = await createWorkspaceFixture(testDatabase.url);
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Adds rows that have been due for longer than all others. */
async function addBacklog(
  { workspaceId }: WorkspaceFixture,
  count: number,
  dispatch: string,
  attempt: number,
): Promise<void> {
  await database.pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, status, created_at,
       updated_at, dispatch, attempt)
     SELECT gen_random_uuid(), $1::uuid, 'outbound', '+15005550100', '', 1, 'queued', now(), now(),
       $2::dispatch_state, $3::int
     FROM generate_series(1, $4::int)`,
    [workspaceId, dispatch, attempt, count],
  );
  const set = `due_at = now() - interval '1 hour'`;
  await updateMessages(database.pool, { set, where: 'due_at IS NULL' });
}

async function addScheduled({ workspaceId, from }: WorkspaceFixture): Promise<string> {
  const id = createUuidV7(Date.now());
  await messages.accept({
    id,
    createdAt: new Date(),
    workspaceId,
    to: '+15005550100',
    from,
    body: '',
    media: [],
    segments: 1,
    scheduledAt: new Date(Date.now() - 1_000),
    requestId: randomUUID(),
    idempotency: null,
  });
  return id;
}

const READY: TakeDueOptions = {
  kinds: [
    { dispatch: 'ready', isNew: true, graceMs: 0 },
    { dispatch: 'ready', isNew: false, graceMs: 0 },
  ],
  limit: 100,
  capacities: new Map(),
  capacityOfOthers: 1_000,
  holdMs: 60_000,
};

const countUntouched = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM messages WHERE due_at < now() - interval '30 minutes'`,
  );
  return rows[0]?.n ?? 0;
};

test('a scheduled message is taken immediately despite another workspace’s backlog', async () => {
  await addBacklog(busy, 2_000, 'ready', 0);
  await addBacklog(busy, 2_000, 'ready', 1);
  const id = await addScheduled(idle);
  const taken = await messages.takeDue(READY);
  expect(taken.map((row) => row.id)).toContain(id);
  expect(taken.length).toBeLessThanOrEqual(100);
  expect(taken.length).toBeGreaterThan(60);
});

test('a backlog in one dispatch state leaves capacity for the other states of its workspace', async () => {
  await addBacklog(busy, 2_000, 'ready', 1);
  await addBacklog(busy, 5, 'ready', 0);
  const taken = await messages.takeDue(READY);
  expect(taken.filter((row) => !row.isPostponed)).toHaveLength(5);
});

test('a sweep takes no more rows of a workspace than the worker has capacity for', async () => {
  await addBacklog(busy, 2_000, 'ready', 0);
  await addBacklog(idle, 2_000, 'ready', 0);
  const capacities = new Map([
    [busy.workspaceId, 3],
    [idle.workspaceId, 0],
  ]);
  const taken = await messages.takeDue({ ...READY, capacities });
  expect(taken.map((row) => row.workspaceId)).toEqual(Array(3).fill(busy.workspaceId));
  expect(await countUntouched()).toBe(3_997);
});

test.each(['refused_since', 'failing_since'])(
  'rows of an account that is paused (%s) are not touched',
  async (column) => {
    await addBacklog(busy, 500, 'ready', 0);
    const id = await addScheduled(idle);
    await database.pool.query(
      `UPDATE provider_accounts SET ${column} = now() WHERE workspace_id = $1`,
      [busy.workspaceId],
    );
    const taken = await messages.takeDue(READY);
    expect(taken.map((row) => row.id)).toEqual([id]);
    expect(await countUntouched()).toBe(500);
  },
);

test('expired leases are taken whatever the state of the provider account', async () => {
  await addBacklog(busy, 7, 'inflight', 1);
  await database.pool.query('UPDATE provider_accounts SET refused_since = now()');
  const kinds = [{ dispatch: 'inflight', isNew: false, graceMs: 0 }] as const;
  expect(await messages.takeDue({ ...READY, kinds })).toHaveLength(7);
});

test('with more workspaces than rows to take, each workspace gets its turn', async () => {
  const others = await Promise.all(
    Array.from({ length: 8 }, () => createWorkspaceFixture(testDatabase.url)),
  );
  for (const workspace of others) await addBacklog(workspace, 3, 'ready', 0);
  const seen = new Set<string>();
  for (let i = 0; i < 12; i += 1) {
    for (const row of await messages.takeDue({ ...READY, limit: 2 })) seen.add(row.workspaceId);
  }
  expect(seen.size).toBe(8);
});
