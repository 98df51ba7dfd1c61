import { positionOf } from '@switchboard/core';
import { expect, test } from 'vitest';
import { createMessageEventStore, withRetention } from '../../src/index.ts';
import {
  LOWEST_ID,
  database,
  messages,
  workspace,
  daysAgo,
  accept,
  addOld,
  updateMessage,
  run,
  readIds,
  readSeqs,
  useRetentionDatabase,
} from './environment.ts';

useRetentionDatabase();

test('finished messages past their retention are deleted with all their events, and the totals decrease', async () => {
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
  await updateMessage(kept, 'due_at = now()');
  await addOld(10);
  const read = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ ago: number; status: string; n: number }>(
      `SELECT uuid_v7_day(uuid_v7($1::timestamptz)) - day AS ago, status, n FROM message_counts
       ORDER BY day, status`,
      [daysAgo(0)],
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

  await updateMessage(kept, `status = 'failed'`);
  expect((await read()).slice(0, 2)).toEqual(['95 days ago: 1 failed', '95 days ago: 0 delivered']);
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
    await store.deleteMessages({
      workspaceId,
      before,
      openSince: null,
      afterId: LOWEST_ID,
      limit: 100,
    });
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

test('retention keeps every message that a lookup of an open message could match', async () => {
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
    await database.pool.query('DELETE FROM message_records');
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
  const pages = await events.read([{ workspaceId, after: positionOf([1]) }], 10);
  expect(pages.get(workspaceId)).toMatchObject({ hasGap: true, events: [] });
  const rest = await events.read([{ workspaceId, after: positionOf([3]) }], 10);
  expect(rest.get(workspaceId)).toMatchObject({ hasGap: false, events: [{ seq: 4 }] });
});

test('all events after an event that is kept are kept too, so that the rest has no gap', async () => {
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
