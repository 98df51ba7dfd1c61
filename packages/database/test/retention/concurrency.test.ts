import { START_OF_EVENTS, decideDirectEvidence, lastIn } from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { createMessageEventStore, isBlockedByOthers, withRetention } from '../../src/index.ts';
import { deleteOldMessages } from '../../src/retention/delete-old-messages.ts';
import type { Run } from '../../src/run-statement.ts';
import {
  DAY_MS,
  LOWEST_ID,
  policy,
  database,
  messages,
  workspace,
  daysAgo,
  accept,
  addOld,
  run,
  readIds,
  readSeqs,
  useRetentionDatabase,
} from './environment.ts';

useRetentionDatabase();

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

test('retention skips a locked row immediately and keeps it after its change', async () => {
  const id = await addOld(100);
  const callback = await database.pool.connect();
  try {
    await callback.query('BEGIN');
    await callback.query('SELECT 1 FROM message_records WHERE id = $1 FOR UPDATE', [id]);
    expect(await run({ before: daysAgo(90) })).toBe(0);
    await callback.query(
      `INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at,
         visible, status)
       VALUES ($1, 2, $2, 1, 'status_changed', now(), true, 'read')`,
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
        `INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at,
           visible, status)
         VALUES ($1, 2, $2, 1, 'status_changed', now(), true, 'read')`,
        [workspace.workspaceId, id],
      );
    }
    isFirst = false;
    return rows;
  };
  try {
    await client.query('BEGIN');
    const old = {
      workspaceId: workspace.workspaceId,
      before: daysAgo(90),
      openSince: null,
      afterId: LOWEST_ID,
      limit: 10,
    };
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
      store.deleteMessages({
        workspaceId: workspace.workspaceId,
        before: daysAgo(90),
        openSince: null,
        afterId: LOWEST_ID,
        limit: 10,
      }),
    ).catch((error: unknown) => error);
    expect(isBlockedByOthers(failure)).toBe(true);
    expect(isBlockedByOthers(new Error('else'))).toBe(false);
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
  expect(await readIds()).toHaveLength(1);
});

test('only one of two concurrent retention runs does anything, and its lock is released when it ends', async () => {
  const inner = await withRetention(database, () => withRetention(database, async () => 'both'));
  expect(inner).toBeNull();
  const failing = withRetention(database, () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  // The pool might return the connection that had the lock.
  const idle = await Promise.all(
    Array.from({ length: database.pool.idleCount }, () => database.pool.connect()),
  );
  try {
    await expect.poll(() => withRetention(database, async () => 'free'), EVENTUALLY).toBe('free');
  } finally {
    for (const client of idle) client.release();
  }
});

test('retention that runs during sends and callbacks fails no request and keeps every count exact', async () => {
  const { workspaceId } = workspace;
  const stop = new AbortController();
  const accepted = new Set<string>();

  const evidence = (sid: string, status: 'sent' | 'delivered' | 'read') => ({
    sid,
    providerId: workspace.providerId,
    vendorAccountId: workspace.accountSid,
    status,
    rawStatus: status,
    from: null,
    errorCode: null,
    errorDetail: null,
    isOptOut: false,
  });
  async function callBack(id: string, status: 'sent' | 'delivered' | 'read'): Promise<void> {
    for (let result = 'stale'; result === 'stale';) {
      const row = await messages.readRow({ workspaceId, id });
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
  // A step that is blocked for too long is repeated, as by the command.
  const unlessBlocked = (step: Promise<{ count: number }>): Promise<number> =>
    step.then(
      ({ count }) => count,
      (error: unknown) => {
        if (!isBlockedByOthers(error)) throw error;
        return 0;
      },
    );
  const retainAll = (): Promise<unknown> =>
    withRetention(database, async (store) => {
      while (!stop.signal.aborted) {
        const events = { workspaceId, before, afterSeq: 0, limit: 1_000 };
        await unlessBlocked(store.deleteEvents(events));
        const old = { workspaceId, before, openSince: null, afterId: LOWEST_ID, limit: 1_000 };
        deleted += await unlessBlocked(store.deleteMessages(old));
      }
    });

  const work = Promise.all([...Array.from({ length: 20 }, send), retainAll()]);
  // The failure is asserted below. This stops the other work immediately.
  work.catch(() => stop.abort());
  await expect
    .poll(() => stop.signal.aborted || (accepted.size >= 400 && deleted >= 100), {
      timeout: 60_000,
    })
    .toBe(true)
    .finally(() => stop.abort());
  await work;

  const { rows } = await database.pool.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM messages) AS left,
       (SELECT count(*) FROM messages WHERE dispatch = 'inflight') AS open,
       (SELECT count(*) FROM message_events e
         WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = e.message_id)) AS unowned,
       (SELECT count(*) FROM idempotency_keys) AS keys`,
  );
  const [{ left = NaN, open, unowned, keys } = {}] = rows;
  expect({ unowned, keys }).toEqual({ unowned: 0, keys: accepted.size });
  expect(open).toBeGreaterThanOrEqual(Math.floor(accepted.size / 10));
  expect(left).toBe(accepted.size - deleted);
  const page = await messages.list(workspaceId, {}, { number: 1, size: 100 });
  expect(page.total).toBe(left);
  const seqs = await readSeqs();
  const { positions } = await createMessageEventStore(database).readCounters([workspaceId]);
  const last = lastIn(positions.get(workspaceId) ?? START_OF_EVENTS, 0);
  const first = seqs[0] ?? last + 1;
  expect(seqs).toEqual(Array.from({ length: last + 1 - first }, (_, n) => first + n));
});

test('a retention run can start immediately after another one has ended', async () => {
  for (let n = 0; n < 20; n += 1) expect(await run({ before: daysAgo(90) })).toBe(0);
});
