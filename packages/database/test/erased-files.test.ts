import { randomUUID } from 'node:crypto';
import { createUuidV7 } from '@switchboard/core';
import {
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Database,
  OPERATOR,
  createErasingStore,
  createErasureStore,
  createMediaFileStore,
} from '../src/index.ts';

const NUMBER = '+14155550100';
const MINUTE_MS = 60_000;

let server: TestDatabase;
let database: Database;
let workspace: WorkspaceFixture;
beforeAll(async () => {
  server = await createTestDatabase();
  database = openTestDatabase(server.url, { hashErased: (text) => [`erased:1:${btoa(text)}`] });
});
beforeEach(async () => {
  workspace = await createWorkspaceFixture(server.url);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

/** Stores a file. */
async function addFile(): Promise<string> {
  const files = createMediaFileStore(database);
  const { workspaceId } = workspace;
  const [id, at] = [randomUUID(), new Date()];
  await files.reserve({ id, workspaceId, name: 'x.png', size: 1, createdAt: at }, 1_000);
  await files.markStored({ id, workspaceId }, { contentType: 'image/png', size: 1 }, at);
  return id;
}

/** Names the file in a send of some minutes ago, which is refused afterward unless it is stored. */
async function nameIn(fileId: string, { minutesAgo = 0, isStored = false } = {}): Promise<void> {
  const { workspaceId } = workspace;
  const messageId = createUuidV7(Date.now() - minutesAgo * MINUTE_MS);
  await createMediaFileStore(database).use(workspaceId, [{ messageId, ids: [fileId] }]);
  if (!isStored) return;
  await database.pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch, media)
     VALUES ($1, $2, 'inbound', '+15005550006', $3, 'Hello', 1, 'received', now(), now(), 'accepted', $4)`,
    [messageId, workspaceId, NUMBER, JSON.stringify([{ url: `media:${fileId}` }])],
  );
}

/** Erases the person as a worker does. */
async function erase(): Promise<void> {
  const { workspaceId } = workspace;
  const id = createUuidV7(Date.now());
  await createErasureStore(database).request(workspaceId, id, NUMBER, OPERATOR);
  const erasing = createErasingStore(database);
  const erasure = await erasing.takeDue();
  if (erasure?.workspaceId !== workspaceId) throw new Error('the erasure is not due');
  await erasing.eraseRecords(erasure);
  await erasing.eraseMessages(erasure, 100);
  expect(await erasing.finish(erasure, 0)).toBe(true);
  await erasing.close(erasure, 24 * 60 * MINUTE_MS);
}

/** Which files no message may use anymore. */
async function listRemoved(): Promise<string[]> {
  const { workspaceId } = workspace;
  const where = { workspaceId, deletedAt: { not: null } };
  const files = await database.prisma.mediaFile.findMany({ where, select: { id: true } });
  return files.map(({ id }) => id).toSorted();
}

test('an erasure removes a file that a send named ten minutes before and that was refused, and keeps one that a send may be about to use', async () => {
  const [refused, sending] = [await addFile(), await addFile()];
  for (const file of [refused, sending]) await nameIn(file, { isStored: true });
  await nameIn(refused, { minutesAgo: 11 });
  await nameIn(sending);
  await erase();
  expect(await listRemoved()).toEqual([refused]);
});

test('the daily check removes a file that only erased or refused messages use, and keeps one that a message uses', async () => {
  const [erased, refused, used] = [await addFile(), await addFile(), await addFile()];
  await nameIn(erased, { isStored: true });
  // A current send names it, so the erasure leaves it to the check.
  await nameIn(erased);
  await erase();
  await nameIn(refused);
  await nameIn(used, { isStored: true });
  expect(await listRemoved()).toEqual([]);
  const { workspaceId } = workspace;
  // As after a day without use.
  const data = { checkAt: new Date(0) };
  await database.prisma.mediaFile.updateMany({ where: { workspaceId }, data });
  const { checked } = await createMediaFileStore(database).takeUnused(100);
  expect(checked).toBeGreaterThanOrEqual(3);
  expect(await listRemoved()).toEqual([erased, refused].toSorted());
});
