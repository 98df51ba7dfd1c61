import { START_OF_EVENTS, createUuidV7, slotOf } from '@switchboard/core';
import { expect, test } from 'vitest';
import { createMessageEventStore } from '../../src/index.ts';
import {
  type Process,
  accept,
  advance,
  readAll,
  start,
  useProcesses,
  workspace,
} from './environment.ts';

// The writes of a process of the release without slots: events in slot 0, without the columns that
// this release added.
useProcesses();

async function acceptAsPrevious({ database }: Process): Promise<string> {
  const id = createUuidV7(Date.now());
  await database.pool.query(
    `WITH stored AS (
       INSERT INTO messages (id, workspace_id, direction, "to", body, segments, status, created_at,
         updated_at, dispatch)
       VALUES ($1, $2, 'outbound', '+15005550100', '', 1, 'queued', now(), now(), 'ready')
       RETURNING id, workspace_id
     ), counter AS (
       UPDATE event_counters SET last_seq = last_seq + 1 WHERE workspace_id = $2 RETURNING last_seq
     )
     INSERT INTO message_events (workspace_id, seq, message_id, type, at, visible, status)
     SELECT workspace_id, last_seq, id, 'created', now(), true, 'queued' FROM stored, counter`,
    [id, workspace.workspaceId],
  );
  return id;
}

async function advanceAsPrevious({ database }: Process, id: string, status: string): Promise<void> {
  await database.pool.query(
    `WITH changed AS (
       UPDATE messages SET version = version + 1, status = $3::message_status WHERE id = $1
       RETURNING id, workspace_id, status
     ), counter AS (
       UPDATE event_counters SET last_seq = last_seq + 1 WHERE workspace_id = $2 RETURNING last_seq
     )
     INSERT INTO message_events (workspace_id, seq, message_id, type, at, visible, status)
     SELECT workspace_id, last_seq, id, 'status_changed', now(), true, status FROM changed, counter`,
    [id, workspace.workspaceId, status],
  );
}

/** Reads the statuses of a message as a client receives them, in short pages. */
async function readStatuses(id: string): Promise<string[]> {
  const { events } = await readAll(START_OF_EVENTS, 2);
  return events.filter(({ messageId }) => messageId === id).map(({ status }) => status);
}

test('while a process of a release without slots runs, all events are numbered in slot 0', async () => {
  const process = start(5);
  const { pool } = process.database;
  await pool.query(
    `INSERT INTO running_processes (id, role, host, pid, key_ids, started_at, seen_at)
     VALUES (gen_random_uuid(), 'api', 'h', 1, '{}', now(), now())`,
  );
  await process.report();
  await accept(process);
  await pool.query(`DELETE FROM running_processes WHERE slot IS NULL`);
  await process.report();
  await accept(process);
  const { events } = await readAll(START_OF_EVENTS, 10);
  expect(events).toHaveLength(2);
  expect(new Set(events.map(({ seq }) => slotOf(seq)))).toEqual(new Set([0, 1]));
});

test('a change in a slot follows the events that the message had before the upgrade', async () => {
  const process = start(1);
  for (let n = 0; n < 5; n += 1) await acceptAsPrevious(process);
  const id = await acceptAsPrevious(process);
  // As they were before the columns existed.
  const { pool } = process.database;
  await pool.query('UPDATE messages SET last_event = NULL');
  await pool.query('UPDATE message_events SET message_version = NULL, previous_seq = NULL');
  await advance(process, id, 'sent');
  await advance(process, id, 'delivered');
  expect(await readStatuses(id)).toEqual(['queued', 'sent', 'delivered']);
});

test.each([
  [['slot 1', 'previous', 'slot 2']],
  [['slot 1', 'shared', 'slot 2']],
  [['slot 1', 'previous', 'shared', 'previous', 'slot 2']],
  [['previous', 'shared', 'slot 1', 'previous', 'slot 2']],
] as const)(
  'the events of a message stay in order when releases with and without slots take turns: %s',
  async (turns) => {
    const first = start(1);
    const processes = { 'slot 1': first, 'slot 2': start(2), shared: start(0) };
    for (let n = 0; n < 5; n += 1) {
      await accept(first);
      await acceptAsPrevious(first);
    }
    const [writer, ...writers] = turns;
    const id = await (writer === 'previous' ? acceptAsPrevious(first) : accept(processes[writer]));
    const statuses = (['sending', 'sent', 'delivered', 'read'] as const).slice(0, writers.length);
    for (const [n, status] of statuses.entries()) {
      const name = writers[n] ?? 'previous';
      if (name === 'previous') await advanceAsPrevious(first, id, status);
      else await advance(processes[name], id, status);
    }
    expect(await readStatuses(id)).toEqual(['queued', ...statuses]);
    const timeline = await createMessageEventStore(first.database).listOfMessage(id, 100);
    expect(timeline.map(({ status }) => status)).toEqual(['queued', ...statuses]);
  },
);

test('before a downgrade to a release without slots, all counts can be added up in the rows that it reads', async () => {
  const [first, second] = [start(1), start(2)];
  const id = await accept(first);
  await accept(second);
  await advance(second, id, 'sent');
  const { pool } = first.database;
  // As docs/deploy.md says.
  await pool.query(`SELECT add_up_message_counts('infinity', NULL)`);
  const { rows } = await pool.query(
    'SELECT status, n::int FROM message_counts WHERE n <> 0 ORDER BY status',
  );
  expect(rows).toEqual([
    { status: 'queued', n: 1 },
    { status: 'sent', n: 1 },
  ]);
});
