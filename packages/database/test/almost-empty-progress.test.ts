import { createUuidV7 } from '@switchboard/core';
import { createTestDatabase, createWorkspaceFixture, openTestDatabase } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createMessageStore } from '../src/index.ts';

test('a claim that was planned while almost no message was in progress does not read all of them later', async () => {
  const testDatabase = await createTestDatabase();
  const database = openTestDatabase(testDatabase.url, { poolSize: 1 });
  onTestFinished(async () => {
    await database.close();
    await testDatabase.drop();
  });
  const { pool } = database;
  const { workspaceId, from } = await createWorkspaceFixture(testDatabase.url);
  const store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
  const accept = (count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const createdAt = new Date();
        const id = createUuidV7(createdAt.getTime());
        const message = { id, createdAt, workspaceId, from, to: '+15551230001', body: 'x' };
        const rest = {
          media: [],
          segments: 1,
          scheduledAt: null,
          requestId: 'r',
          idempotency: null,
        };
        expect((await store.accept({ ...message, ...rest })).kind).toBe('stored');
        return id;
      }),
    );
  const claim = async (ids: readonly string[]): Promise<void> => {
    const claimed = await Promise.all(
      ids.map((messageId) => store.claim({ workspaceId, messageId })),
    );
    expect(claimed).not.toContain(null);
  };
  async function countEntriesRead(): Promise<unknown> {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      `SELECT t.seq_scan, i.idx_tup_read FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i USING (relid)
       WHERE i.indexrelname = 'message_progress_due_idx'`,
    );
    return rows[0];
  }

  for (let n = 0; n < 16; n += 1) await accept(1_000);
  await pool.query('DELETE FROM message_records');
  await pool.query('VACUUM ANALYZE message_progress');
  await claim(await accept(20));
  // Waits for the measurement of the tables on the only connection. Statements are prepared after it.
  await database.ping();
  for (let n = 0; n < 8; n += 1) await claim(await accept(20));
  for (let n = 0; n < 2; n += 1) await accept(1_000);
  const ids = await accept(20);
  const before = await countEntriesRead();
  await claim(ids);
  expect(await countEntriesRead()).toEqual(before);
});
