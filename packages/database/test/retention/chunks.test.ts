import { expect, test } from 'vitest';
import { withRetention } from '../../src/index.ts';
import { addOld, database, daysAgo, run, useRetentionDatabase, workspace } from './environment.ts';

useRetentionDatabase();

const deleteChunks = () =>
  withRetention(database, (store) => store.deleteEmptyChunks({ before: daysAgo(90), limit: 100 }));

test('retention deletes a chunk of words when all of its messages are deleted, and not before', async () => {
  const [old, recent] = [await addOld(100), await addOld(10)];
  for (const id of [old, recent]) {
    await database.pool.query(
      `INSERT INTO message_chunks (workspace_id, first_id, last_id, words)
       VALUES ($1, $2, $2, 'hello')`,
      [workspace.workspaceId, id],
    );
  }
  expect(await deleteChunks()).toBe(0);
  expect(await run({ before: daysAgo(90) })).toBe(1);
  expect(await deleteChunks()).toBe(1);
  const { rows } = await database.pool.query('SELECT last_id FROM message_chunks');
  expect(rows).toEqual([{ last_id: recent }]);
});
