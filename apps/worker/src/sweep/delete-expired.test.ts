import { createLogger } from '@switchboard/runtime';
import { expect, test } from 'vitest';
import { createDeleteExpired } from './delete-expired.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

test('one sweep deletes all expired rows, and the next deletion is a minute later', async () => {
  const expired = { keys: 42_000, sessions: 3 };
  const deleted = { keys: 0, sessions: 0 };
  const storeOf = (name: 'keys' | 'sessions') => ({
    async deleteExpired(limit: number) {
      const count = Math.min(limit, expired[name]);
      expired[name] -= count;
      return count;
    },
  });
  const deleteExpired = createDeleteExpired(
    { keys: storeOf('keys'), sessions: storeOf('sessions') },
    logger,
    (name, count) => (deleted[name] += count),
  );
  await deleteExpired();
  expect(deleted).toEqual({ keys: 42_000, sessions: 3 });
  expired.keys = 1;
  await deleteExpired();
  expect(expired.keys).toBe(1);
});
