import { randomUUID } from 'node:crypto';
import { createDispatchPolicy, decideDirectEvidence } from '@switchboard/core';
import {
  createWorkspaceFixture,
  createTestDatabase,
  type TestDatabase,
  type WorkspaceFixture,
} from '@switchboard/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createDatabase,
  createMessageEventStore,
  createMessageStore,
  type Database,
  isGivingWay,
  type MessageStore,
  type RetentionStore,
  withRetention,
} from '../src/index.ts';
import { firstIdOf } from '../src/messages/id-range.ts';
import { deleteOldMessages } from '../src/retention/delete-old-messages.ts';
import type { Run } from '../src/sql-error.ts';

const DAY_MS = 86_400_000;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const policy = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] });

let testDatabase: TestDatabase;
let database: Database;
let messages: MessageStore;
let workspace: WorkspaceFixture;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({
    url: testDatabase.url,
    poolSize: 8,
    applicationName: 'retention-test',
    onError: () => undefined,
  });
  messages = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
  workspace = await createWorkspaceFixture(testDatabase.url);
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Creates an id for a time in the past. */
const idOf = (at: Date): string => firstIdOf(at).slice(0, 14) + `7${randomUUID().slice(15)}`;

async function accept(createdAt = new Date()): Promise<string> {
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
async function addOld(days: number, set = 'version = version'): Promise<string> {
  const id = await accept(daysAgo(days));
  await database.pool.query(
    `UPDATE messages SET dispatch = 'accepted', status = 'delivered', due_at = NULL,
       started_at = created_at, updated_at = created_at WHERE id = $1`,
    [id],
  );
  await database.pool.query(`UPDATE messages SET ${set} WHERE id = $1`, [id]);
  await database.pool.query(
    `UPDATE message_events SET id = uuid_v7(now() - $2::int * interval '1 day')
     WHERE message_id = $1`,
    [id, days],
  );
  return id;
}

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
    const done = await store.deleteMessages({ before, openSince, afterId, limit });
    deleted += done.count;
    afterId = done.lastId;
  }
  return deleted;
}

async function run(horizons: Parameters<typeof retain>[1]): Promise<number> {
  const deleted = await withRetention(database, (store) => retain(store, horizons));
  if (deleted === null) throw new Error('the lock is held');
  return deleted;
}

async function readIds(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM messages ORDER BY id');
  return rows.map(({ id }) => id);
}

async function readSeqs(): Promise<number[]> {
  const { rows } = await database.pool.query<{ seq: number }>(
    'SELECT seq FROM message_events WHERE workspace_id = $1 ORDER BY seq',
    [workspace.workspaceId],
  );
  return rows.map(({ seq }) => seq);
}

test('finished messages past their retention are deleted with all their events, and totals follow', async () => {
  for (let days = 100; days > 90; days -= 1) await addOld(days);
  const young = [await addOld(89), await addOld(8), await accept()];
  expect(await run({ before: daysAgo(90) })).toBe(10);
  expect(await readIds()).toEqual(young);
  expect(await readSeqs()).toEqual([11, 12, 13]);
  const page = await messages.list(workspace.workspaceId, {}, { number: 1, size: 2 });
  expect(page.total).toBe(3);
  expect(page.messages.map(({ id }) => id)).toEqual(young.toReversed().slice(0, 2));
});

test('counts that reach zero are deleted with the last message of their day', async () => {
  await addOld(100);
  const kept = await addOld(95);
  await addOld(95, `status = 'failed'`);
  await database.pool.query(`UPDATE messages SET due_at = now() WHERE id = $1`, [kept]);
  await addOld(10);
  const read = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ ago: number; status: string; n: number }>(
      `SELECT uuid_v7_day(uuid_v7(now())) - day AS ago, status, n FROM message_counts
       ORDER BY day, status`,
    );
    return rows.map(({ ago, status, n }) => `${ago} days ago: ${n} ${status}`);
  };
  expect(await read()).toContain('100 days ago: 0 queued');
  expect(await run({ before: daysAgo(90) })).toBe(2);
  expect(await read()).toEqual([
    '95 days ago: 1 delivered',
    '10 days ago: 0 queued',
    '10 days ago: 1 delivered',
  ]);

  await database.pool.query(`UPDATE messages SET status = 'failed' WHERE id = $1`, [kept]);
  expect((await read()).slice(0, 2)).toEqual(['95 days ago: 1 failed', '95 days ago: 0 delivered']);
});

test('retention skips a locked count without waiting', async () => {
  await addOld(100);
  const holder = await database.pool.connect();
  try {
    await holder.query(`BEGIN; SELECT 1 FROM message_counts WHERE status = 'queued' FOR UPDATE`);
    expect(await run({ before: daysAgo(90) })).toBe(1);
  } finally {
    await holder.query('ROLLBACK').finally(() => holder.release());
  }
  const { rows } = await database.pool.query('SELECT status, n FROM message_counts');
  expect(rows).toEqual([{ status: 'queued', n: 0 }]);
});

test('an unfinished message is never deleted, whatever its age', async () => {
  const unfinished = {
    'waits to be sent': `dispatch = 'ready', status = 'queued', due_at = now()`,
    'is scheduled': `dispatch = 'ready', status = 'scheduled', due_at = now() + interval '1 day'`,
    'was due long after it was accepted': `scheduled_at = now() - interval '1 day'`,
    'is being sent': `dispatch = 'inflight', status = 'queued', due_at = now()`,
    'is in flight without a due time': `dispatch = 'inflight'`,
    'has an unknown outcome': `dispatch = 'unknown', status = 'queued', due_at = now()`,
    'is due for a check although it is delivered': `due_at = now()`,
    'may yet be delivered': `status = 'sent', updated_at = now() - interval '29 days'`,
    'may yet be proved sent': `dispatch = 'unresolved', status = 'failed',
      updated_at = now() - interval '29 days'`,
  };
  for (const [body, set] of Object.entries(unfinished)) {
    await addOld(4_000, `body = '${body}', ${set}`);
  }
  await addOld(4_000, `body = 'finished'`);
  await withRetention(database, async (store) => {
    const { workspaceId } = workspace;
    const before = daysAgo(90);
    await store.deleteEvents({ workspaceId, before, afterSeq: 0, limit: 100 });
    // `openSince` is null, so that an open message is not the reason to keep the others.
    await store.deleteMessages({ before, openSince: null, afterId: LOWEST_ID, limit: 100 });
  });
  const { rows } = await database.pool.query<{ body: string }>('SELECT body FROM messages');
  expect(rows.map(({ body }) => body).toSorted()).toEqual(Object.keys(unfinished).toSorted());
});

test('an unresolved message without evidence for a month is deleted', async () => {
  const long = `updated_at = now() - interval '31 days'`;
  await addOld(100, `status = 'sent', ${long}`);
  await addOld(100, `dispatch = 'unresolved', status = 'failed', ${long}`);
  expect(await run({ before: daysAgo(90) })).toBe(2);
});

test('retention keeps every message that a look-up of an open message could match', async () => {
  const before = await addOld(100, `started_at = now() - interval '100 days'`);
  for (const open of [
    `dispatch = 'unknown', status = 'queued', due_at = now()`,
    `dispatch = 'ready', status = 'queued', due_at = now(), resends = 1`,
  ]) {
    const id = await addOld(99, `${open}, started_at = now() - interval '99 days'`);
    const later = await addOld(120, `started_at = now() - interval '98 days'`);
    await run({ before: daysAgo(90) });
    expect(await readIds()).toEqual([later, id]);
    expect(await readIds()).not.toContain(before);
    await database.pool.query('DELETE FROM messages');
  }
});

test('a message is kept as long as its events, so that no cursor skips an event', async () => {
  const ids = [await addOld(100), await addOld(99), await addOld(98)];
  // A late callback for the first message.
  const late = await accept();
  await database.pool.query('UPDATE message_events SET message_id = $1 WHERE message_id = $2', [
    ids[0],
    late,
  ]);
  expect(await run({ before: daysAgo(90) })).toBe(2);
  expect(await readIds()).toEqual([ids[0], late]);
  const events = createMessageEventStore(database);
  const { workspaceId } = workspace;
  const pages = await events.read([{ workspaceId, after: 1 }], 10);
  expect(pages.get(workspaceId)).toMatchObject({ first: 4, through: 4, events: [{ seq: 4 }] });
});

test('a kept event keeps all later ones, so that the rest has no gap', async () => {
  for (const days of [100, 99, 5, 98, 4]) await addOld(days);
  await run({ before: daysAgo(90) });
  expect(await readSeqs()).toEqual([3, 4, 5]);
  expect(await readIds()).toHaveLength(3);
});

test('with a shorter retention of events, only the events are deleted', async () => {
  const ids = [await addOld(50), await addOld(40), await addOld(2)];
  expect(await run({ before: daysAgo(90), eventsBefore: daysAgo(30) })).toBe(0);
  expect(await readIds()).toEqual(ids);
  expect(await readSeqs()).toEqual([3]);
});

test('retention skips a locked row at once and keeps it after its change', async () => {
  const id = await addOld(100);
  const callback = await database.pool.connect();
  try {
    await callback.query('BEGIN');
    await callback.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [id]);
    expect(await run({ before: daysAgo(90) })).toBe(0);
    await callback.query(
      `INSERT INTO message_events (workspace_id, seq, message_id, type, at, visible, status)
       VALUES ($1, 2, $2, 'status_changed', now(), true, 'read')`,
      [workspace.workspaceId, id],
    );
    await callback.query('COMMIT');
  } finally {
    callback.release();
  }
  expect(await run({ before: daysAgo(90) })).toBe(0);
  expect(await readIds()).toEqual([id]);
});

test('an event committed after the events were read keeps its message', async () => {
  const id = await addOld(100);
  await database.pool.query('DELETE FROM message_events');
  const client = await database.pool.connect();
  let isFirst = true;
  const slow: Run = async (statement, values) => {
    const { rows } = await client.query<never>(
      typeof statement === 'string' ? statement : statement.text,
      values,
    );
    if (isFirst) {
      await database.pool.query(
        `INSERT INTO message_events (workspace_id, seq, message_id, type, at, visible, status)
         VALUES ($1, 2, $2, 'status_changed', now(), true, 'read')`,
        [workspace.workspaceId, id],
      );
    }
    isFirst = false;
    return rows;
  };
  try {
    await client.query('BEGIN');
    const old = { before: daysAgo(90), openSince: null, afterId: LOWEST_ID, limit: 10 };
    expect(await deleteOldMessages(slow, old)).toEqual({ scanned: 1, count: 0, lastId: id });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect(await readIds()).toEqual([id]);
});

test('a step that meets a locked table times out without deleting anything', async () => {
  await addOld(100);
  const other = await database.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query('LOCK TABLE messages IN EXCLUSIVE MODE');
    const failure = await withRetention(database, (store) =>
      store.deleteMessages({ before: daysAgo(90), openSince: null, afterId: LOWEST_ID, limit: 10 }),
    ).catch((error: unknown) => error);
    expect(isGivingWay(failure)).toBe(true);
    expect(isGivingWay(new Error('else'))).toBe(false);
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
  expect(await readIds()).toHaveLength(1);
});

test('of two concurrent retention runs only one works, and its lock is released when it ends', async () => {
  const inner = await withRetention(database, () => withRetention(database, async () => 'both'));
  expect(inner).toBeNull();
  const failing = withRetention(database, () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  // The pool might return the connection that had the lock.
  const idle = await Promise.all(
    Array.from({ length: database.pool.idleCount }, () => database.pool.connect()),
  );
  try {
    await expect
      .poll(() => withRetention(database, async () => 'free'), { timeout: 5_000 })
      .toBe('free');
  } finally {
    for (const client of idle) client.release();
  }
});

test('retention under sends and callbacks fails no request and keeps every count exact', async () => {
  const { workspaceId } = workspace;
  const stop = new AbortController();
  const accepted = new Set<string>();

  const evidence = (sid: string, status: 'sent' | 'delivered' | 'read') => ({
    sid,
    account: workspace.accountSid,
    status,
    rawStatus: status,
    from: null,
    errorCode: null,
    errorDetail: null,
    isOptOut: false,
  });
  async function callBack(id: string, status: 'sent' | 'delivered' | 'read'): Promise<void> {
    for (let result = 'stale'; result === 'stale';) {
      const row = await messages.readRow(id);
      // The message was finished and deleted.
      if (row === null) return;
      const { change } = decideDirectEvidence(row, evidence(`SM${id}`, status), policy, 'callback');
      result = change === null ? 'unchanged' : (await messages.apply(change)).kind;
    }
  }
  async function send(): Promise<void> {
    while (!stop.signal.aborted) {
      const id = await accept();
      accepted.add(id);
      const isLeft = accepted.size % 10 === 0;
      expect(await messages.claim({ messageId: id, workspaceId })).not.toBeNull();
      // Every tenth message stays unfinished.
      if (isLeft) continue;
      await callBack(id, 'sent');
      await callBack(id, 'delivered');
      await callBack(id, 'read');
    }
  }
  let deleted = 0;
  // All messages count as old. Each step is short, because there are always more messages.
  const before = new Date(Date.now() + DAY_MS);
  const retainAll = (): Promise<unknown> =>
    withRetention(database, async (store) => {
      while (!stop.signal.aborted) {
        await store.deleteEvents({ workspaceId, before, afterSeq: 0, limit: 1_000 });
        const old = { before, openSince: null, afterId: LOWEST_ID, limit: 1_000 };
        deleted += (await store.deleteMessages(old)).count;
      }
    });

  const work = Promise.all([...Array.from({ length: 20 }, send), retainAll()]);
  // The failure is asserted below. This stops the other work at once.
  work.catch(() => stop.abort());
  await expect
    .poll(() => stop.signal.aborted || (accepted.size >= 1_000 && deleted >= 300), {
      timeout: 20_000,
    })
    .toBe(true)
    .finally(() => stop.abort());
  await work;

  const { rows } = await database.pool.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM messages) AS left,
       (SELECT count(*) FROM messages WHERE dispatch = 'inflight') AS open,
       (SELECT count(*) FROM message_events e
         WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = e.message_id)) AS homeless,
       (SELECT count(*) FROM idempotency_keys) AS keys`,
  );
  const [{ left = NaN, open, homeless, keys } = {}] = rows;
  expect({ homeless, keys }).toEqual({ homeless: 0, keys: accepted.size });
  expect(open).toBeGreaterThanOrEqual(Math.floor(accepted.size / 10));
  expect(left).toBe(accepted.size - deleted);
  const page = await messages.list(workspaceId, {}, { number: 1, size: 100 });
  expect(page.total).toBe(left);
  const seqs = await readSeqs();
  const last = (await createMessageEventStore(database).readCounters([workspaceId])).lastSeqs.get(
    workspaceId,
  );
  const first = seqs[0] ?? (last ?? 0) + 1;
  expect(seqs).toEqual(Array.from({ length: (last ?? 0) + 1 - first }, (_, n) => first + n));
});
