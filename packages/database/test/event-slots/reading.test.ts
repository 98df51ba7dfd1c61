import { START_OF_EVENTS, slotOf } from '@switchboard/core';
import { expect, test } from 'vitest';
import { createAddUpCounts, createMessageEventStore } from '../../src/index.ts';
import {
  type Process,
  accept,
  advance,
  readAll,
  start,
  useProcesses,
  workspace,
} from './environment.ts';

useProcesses();

test('a process whose slot is locked by an open commit does not delay a process with another slot', async () => {
  const [slow, fast] = [start(1), start(2)];
  await accept(slow);
  // A commit that is not yet on disk keeps the row locked.
  const commit = await slow.database.pool.connect();
  try {
    await commit.query('BEGIN');
    await commit.query('SELECT FROM event_counters WHERE slot = 1 FOR UPDATE');
    await commit.query('SELECT FROM message_slot_counts WHERE slot = 1 FOR UPDATE');
    const id = await accept(fast);
    const { workspaceId } = workspace;
    expect(await fast.messages.claim({ messageId: id, workspaceId })).not.toBeNull();
    await advance(fast, id, 'delivered');
    const blocked = await accept(slow).catch((error: unknown) => error);
    expect(blocked).toMatchObject({ code: 'service_unavailable' });
  } finally {
    await commit.query('ROLLBACK');
    commit.release();
  }
});

test.each([1, 2, 100])(
  'a reader in pages of %i receives each event of several processes once, and those of each message in order',
  async (limit) => {
    const writers = [start(1), start(2), start(31), start(0)];
    const writer = (n: number): Process => writers[n % writers.length] ?? start(0);
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await accept(writer(n)));
    for (const [n, id] of ids.entries()) await advance(writer(n + 1), id, 'sent');
    for (const [n, id] of ids.entries()) await advance(writer(n + 3), id, 'delivered');
    const { events } = await readAll(START_OF_EVENTS, limit);
    expect(new Set(events.map(({ seq }) => seq)).size).toBe(36);
    expect(new Set(events.map(({ seq }) => slotOf(seq)))).toEqual(new Set([0, 1, 2, 31]));
    for (const id of ids) {
      const statuses = events.filter(({ messageId }) => messageId === id).map((e) => e.status);
      expect(statuses).toEqual(['queued', 'sent', 'delivered']);
    }
  },
);

test('the timeline of a message has its events in order, whichever processes wrote them', async () => {
  const [high, low] = [start(9), start(1)];
  const id = await accept(high);
  const { workspaceId } = workspace;
  expect(await low.messages.claim({ messageId: id, workspaceId })).not.toBeNull();
  await advance(high, id, 'sent');
  await advance(low, id, 'delivered');
  const timeline = await createMessageEventStore(low.database).listOfMessage(
    { workspaceId, id },
    100,
  );
  expect(timeline.map(({ type, status }) => `${type} ${status}`)).toEqual([
    'created queued',
    'attempt_started queued',
    'provider_accepted sent',
    'status_changed delivered',
  ]);
});

test('counts are the sum over all slots, even after those of past days are added up', async () => {
  const [one, two] = [start(1), start(2)];
  const past = new Date(Date.now() - 3 * 86_400_000);
  const old = await accept(one, past);
  await accept(two, past);
  await advance(two, old, 'delivered');
  await accept(one);
  const { pool } = one.database;
  const read = async (table: string) => {
    const { rows } = await pool.query<{ status: string; n: number }>(
      `SELECT status, sum(n)::int AS n FROM ${table} GROUP BY status HAVING sum(n) <> 0 ORDER BY 1`,
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  };
  const counts = { queued: 2, delivered: 1 };
  expect(await read('all_message_counts')).toEqual(counts);
  expect(await read('message_counts')).toEqual({});

  const addUp = createAddUpCounts(one.database);
  while ((await addUp(2)) > 0);
  expect(await read('all_message_counts')).toEqual(counts);
  expect(await read('message_counts')).toEqual({ queued: 1, delivered: 1 });
  expect(await read('message_slot_counts')).toEqual({ queued: 1 });
});
