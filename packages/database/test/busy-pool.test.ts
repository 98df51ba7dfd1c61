import { randomUUID } from 'node:crypto';
import { createTestDatabase, openTestDatabase } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { createWorkspaceStore, isDatabaseUnavailable } from '../src/index.ts';

test('a transaction that gets no connection in time fails with an error that proves it was not executed', async () => {
  const { url, drop } = await createTestDatabase();
  const database = openTestDatabase(url, { poolSize: 1, connectTimeoutMs: 10_000 });
  const busy = await database.pool.connect();
  try {
    const [id, ownerId] = [randomUUID(), randomUUID()];
    const workspaces = createWorkspaceStore(database);
    const refused = await workspaces
      .create({ id, name: 'Never', ownerId, ip: null, createdAt: new Date() })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'P2028' });
    expect(isDatabaseUnavailable(refused)).toBe(true);
  } finally {
    busy.release();
    await database.close();
    await drop();
  }
});
