import { expect, test } from 'vitest';
import { createIndexMessages, withRetention } from '../../src/index.ts';
import { addOld, database, daysAgo, run, useRetentionDatabase, workspace } from './environment.ts';

useRetentionDatabase();

const trim = () =>
  withRetention(database, (store) =>
    store.trimChunks({ mode: 'live', before: daysAgo(90), limit: 100 }),
  );

const addChunk = (ids: string[], words: string) =>
  database.pool.query(
    `INSERT INTO message_chunks (workspace_id, first_id, last_id, messages, words)
     VALUES ($1, $2, $3, $4, $5::tsvector)`,
    [workspace.workspaceId, ids[0], ids.at(-1), ids.length, words],
  );

async function readChunks(): Promise<{ last_id: string; messages: number; words: string }[]> {
  const { rows } = await database.pool.query(
    'SELECT last_id, messages, words::text AS words FROM message_chunks ORDER BY last_id',
  );
  return rows;
}

test('retention deletes a chunk of words when all of its messages are deleted, and not before', async () => {
  const [old, recent] = [await addOld(100), await addOld(10)];
  await addChunk([old], 'hello');
  await addChunk([recent], 'hello');
  expect(await trim()).toBe(0);
  expect(await run({ before: daysAgo(90) })).toBe(1);
  expect(await trim()).toBe(1);
  expect((await readChunks()).map(({ last_id }) => last_id)).toEqual([recent]);
});

test('retention removes the words of a deleted message while other messages of its chunk remain', async () => {
  const ids = [await addOld(100), await addOld(80)];
  const bodies = ['The secret code', 'A kept text'];
  for (const [at, id] of ids.entries()) {
    await database.pool.query('UPDATE message_records SET body = $2 WHERE id = $1', [
      id,
      bodies[at],
    ]);
  }
  const prefix = workspace.workspaceId.slice(-8);
  await addChunk(ids, `${prefix}secret ${prefix}code ${prefix}kept`);
  expect(await run({ before: daysAgo(90) })).toBe(1);
  expect(await trim()).toBe(1);
  expect(await readChunks()).toEqual([{ last_id: ids[1], messages: 1, words: `'${prefix}'` }]);
  expect(await trim()).toBe(0);
  await createIndexMessages(database)(60_000);
  const [chunk] = await readChunks();
  expect(chunk?.words).not.toContain('secret');
  for (const word of ['a', 'kept', 'text']) expect(chunk?.words).toContain(`'${prefix}${word}'`);
});
