import { createTestDatabase, createWorkspaceFixture, updateMessages } from '@switchboard/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createShortenWaits } from '../src/index.ts';

test('after the database’s clock is set back, no retry waits longer than its delay', async () => {
  const database = await createTestDatabase();
  const { workspaceId } = await createWorkspaceFixture(database.url);
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  async function add(body: string, dispatch: string, due: string, scheduled: string | null) {
    await pool.query(
      `INSERT INTO message_records (id, workspace_id, direction, status, "to", body, media, segments,
         dispatch, scheduled_at, created_at, updated_at)
       VALUES (uuid_v7(now()), $1, 'outbound', 'queued', '+15551230001', $2, '[]', 1,
         '${dispatch}', now() + $3::interval, now(), now())`,
      [workspaceId, body, scheduled],
    );
    const set = 'due_at = now() + $1::interval, not_before = now() + $1::interval';
    await updateMessages(pool, { set, where: 'due_at IS NULL', values: [due] });
  }
  await add('retry', 'ready', '1 hour', null);
  await add('lease', 'inflight', '61 minutes', null);
  await add('lookup', 'unknown', '70 minutes', null);
  await add('soon', 'ready', '30 seconds', null);
  await add('scheduled', 'ready', '2 hours', '2 hours');
  await add('retry of a scheduled one', 'ready', '3 hours', '2 hours');
  await add('poll', 'accepted', '5 hours', null);

  expect(await createShortenWaits({ pool })(360_000)).toBe(4);
  const { rows } = await pool.query<{ body: string; due: number; before: number }>(
    `SELECT body, round(extract(epoch FROM due_at - now()) / 60)::int AS due,
       round(extract(epoch FROM not_before - now()) / 60)::int AS before
     FROM messages`,
  );
  const waits = Object.fromEntries(rows.map(({ body, due, before }) => [body, [due, before]]));
  expect(waits).toEqual({
    retry: [6, 6],
    lease: [6, 6],
    lookup: [6, 6],
    soon: [expect.any(Number), expect.any(Number)],
    scheduled: [120, 120],
    'retry of a scheduled one': [126, 126],
    poll: [300, 300],
  });
  expect(await createShortenWaits({ pool })(360_000)).toBe(0);
});
