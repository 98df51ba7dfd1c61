import { randomUUID } from 'node:crypto';
import { type TestDatabase, createTestDatabase, openTestDatabase } from '@switchboard/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Database,
  OPERATOR,
  createContactStore,
  createSavedReplyStore,
  createSavedViewStore,
} from '../src/index.ts';
import { waitForLock } from './wait-for-lock.ts';

let testDatabase: TestDatabase;
let database: Database;
let workspaceId: string;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  const { url } = testDatabase;
  database = openTestDatabase(url);
  workspaceId = randomUUID();
  const add = `INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'Test', now())`;
  await database.pool.query(add, [workspaceId]);
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Starts a deletion, and starts a change before the deletion ends. */
async function changeDuringDeletion<T>(
  table: string,
  remove: () => Promise<boolean>,
  change: () => Promise<T>,
): Promise<[boolean, T]> {
  const holder = await database.pool.connect();
  try {
    await holder.query(`BEGIN; SELECT 1 FROM ${table} FOR UPDATE`);
    const removal = remove();
    await waitForLock(database, 1);
    const changed = change();
    await waitForLock(database, 2);
    await holder.query('COMMIT');
    return await Promise.all([removal, changed]);
  } finally {
    holder.release();
  }
}

const AT = new Date();

test('changing a contact that is being deleted finds no contact', async () => {
  const store = createContactStore(database);
  const details = { number: '+14155550123', otherNumbers: [], name: 'Ada', fields: {}, tags: [] };
  const contact = await store.create(workspaceId, details, AT);
  if (typeof contact === 'string') throw new Error(contact);
  const { id } = contact;
  const result = changeDuringDeletion(
    'contacts',
    () => store.remove(workspaceId, id),
    () => store.update(workspaceId, id, { name: 'Grace' }, AT),
  );
  expect(await result).toEqual([true, 'missing']);
});

test('changing a saved reply that is being deleted finds no saved reply', async () => {
  const store = createSavedReplyStore(database);
  const reply = await store.create(
    workspaceId,
    { name: 'Hours', body: 'From 9 to 5' },
    AT,
    OPERATOR,
  );
  if (typeof reply === 'string') throw new Error(reply);
  const { id } = reply;
  const result = changeDuringDeletion(
    'saved_replies',
    () => store.remove(workspaceId, id, OPERATOR),
    () => store.update(workspaceId, id, { body: 'From 8 to 4' }, AT, OPERATOR),
  );
  expect(await result).toEqual([true, 'missing']);
});

test('changing a saved view that is being deleted finds no saved view', async () => {
  const store = createSavedViewStore(database);
  const view = await store.create(workspaceId, { name: 'Failed', filters: {} }, AT);
  if (typeof view === 'string') throw new Error(view);
  const { id } = view;
  const result = changeDuringDeletion(
    'saved_views',
    () => store.remove(workspaceId, id),
    () => store.update(workspaceId, id, { name: 'Broken' }, AT),
  );
  expect(await result).toEqual([true, 'missing']);
});
