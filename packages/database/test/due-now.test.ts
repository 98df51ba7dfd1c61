import { createTestDatabase, openTestDatabase } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { DUE_NOW } from '../src/due-now.ts';

test('a row that is made due now is already due, although its time is stored in milliseconds', async () => {
  const database = openTestDatabase((await createTestDatabase()).url, { poolSize: 1 });
  onTestFinished(() => database.close());
  await database.pool.query('CREATE TEMPORARY TABLE jobs (due_at timestamptz(3))');
  // Within one statement `now()` stays the same. Half of the times would be rounded up.
  const isDue: boolean[] = [];
  for (let i = 0; i < 50; i += 1) {
    const { rows } = await database.pool.query<{ isDue: boolean }>(
      `INSERT INTO jobs VALUES (${DUE_NOW}) RETURNING due_at <= now() AS "isDue"`,
    );
    isDue.push(rows[0]?.isDue ?? false);
  }
  expect(new Set(isDue)).toEqual(new Set([true]));
});
