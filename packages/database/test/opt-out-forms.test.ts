import { randomUUID } from 'node:crypto';
import { createUuidV7 } from '@switchboard/core';
import {
  type Database,
  OPERATOR,
  createMessageStore,
  createOptOutStore,
} from '@switchboard/database';
import { type TestDatabase, createTestDatabase, openTestDatabase } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  database = openTestDatabase(server.url);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

test('a message that was accepted before its recipient opted out under another form is not handed over', async () => {
  const workspaceId = randomUUID();
  const createdAt = new Date();
  await database.prisma.workspace.create({ data: { id: workspaceId, name: 'Test', createdAt } });
  const store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
  const accept = async (to: string) => {
    const id = createUuidV7(createdAt.getTime());
    await store.accept({
      id,
      createdAt,
      workspaceId,
      to,
      from: '+15550000001',
      body: 'Hello',
      media: [],
      segments: 1,
      scheduledAt: null,
      requestId: 'r',
      idempotency: null,
    });
    return id;
  };
  const ids = [await accept('+525512345678'), await accept('+525512345679')];
  const number = '+5215512345678';
  await createOptOutStore(database).add(
    workspaceId,
    { number, reason: 'STOP', createdAt },
    OPERATOR,
  );
  const claimed = await Promise.all(
    ids.map((messageId) => store.claim({ messageId, workspaceId })),
  );
  expect(claimed.map((message) => message?.isSuppressed)).toEqual([true, false]);
});
