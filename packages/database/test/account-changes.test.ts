import { createUuidV7 } from '@switchboard/core';
import {
  type TestDatabase,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Database, createRelayAccountChanges, createUserStore } from '../src/index.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function query(text: string, values: unknown[] = []) {
  return (await database.pool.query(text, values)).rows as Record<string, unknown>[];
}

/** Adds a user with two workspaces. */
async function addUser() {
  const { userId, workspaceId: first, sessionId } = await createWorkspaceFixture(testDatabase.url);
  const { workspaceId: second } = await createWorkspaceFixture(testDatabase.url);
  await query(`INSERT INTO members VALUES ($1, $2, 'viewer', now())`, [second, userId]);
  return { userId, first, second, sessionId };
}

async function changePassword(
  { userId, sessionId }: { userId: string; sessionId: string },
  through = database,
) {
  const users = createUserStore(through);
  const oldHash = (await users.find(userId))?.passwordHash ?? '';
  const newHash = `hash-${createUuidV7(Date.now())}`;
  const change = { userId, oldHash, newHash, keepSessionId: sessionId, ip: '192.0.2.1' };
  expect(await users.changePassword(change)).toEqual({ endedSessionIds: [] });
}

const findEntries = (userId: string) =>
  query(
    `SELECT workspace_id AS "workspaceId", action, target, detail, ip FROM audit_entries
     WHERE user_id = $1 ORDER BY workspace_id`,
    [userId],
  );

function entriesOf({ userId, first, second }: Awaited<ReturnType<typeof addUser>>) {
  return [first, second].toSorted().map((workspaceId) => ({
    workspaceId,
    action: 'member.password_changed',
    target: userId,
    detail: {},
    ip: '192.0.2.1',
  }));
}

test('a change of an account is in the audit trail of each workspace of the user at once', async () => {
  const user = await addUser();
  await changePassword(user);
  expect(await findEntries(user.userId)).toEqual(entriesOf(user));
  expect(await query('SELECT 1 FROM account_changes')).toEqual([]);
});

test('a change whose copy is late is not in the trail of a workspace that the user has joined since, and the failure is reported', async () => {
  const errors: Error[] = [];
  const reporting = openTestDatabase(testDatabase.url, { onError: (error) => errors.push(error) });
  onTestFinished(() => reporting.close());
  const user = await addUser();
  await query(
    `ALTER TABLE audit_entries ADD CONSTRAINT planted CHECK (workspace_id <> '${user.second}')`,
  );
  await changePassword(user, reporting);
  expect(String(errors[0])).toContain('planted');
  await query('ALTER TABLE audit_entries DROP CONSTRAINT planted');
  const { workspaceId: later } = await createWorkspaceFixture(testDatabase.url);
  await query(`INSERT INTO members VALUES ($1, $2, 'viewer', now())`, [later, user.userId]);
  await createRelayAccountChanges(database)();
  expect(await findEntries(user.userId)).toEqual(entriesOf(user));
});

test('a change whose copy fails is kept, and a later copy completes the trails without a second entry', async () => {
  const user = await addUser();
  await query(
    `ALTER TABLE audit_entries ADD CONSTRAINT planted CHECK (workspace_id <> '${user.second}')`,
  );
  await changePassword(user);
  expect(await findEntries(user.userId)).not.toContainEqual(
    expect.objectContaining({ workspaceId: user.second }),
  );
  const relay = createRelayAccountChanges(database);
  await expect(relay()).rejects.toThrow();
  expect(await query('SELECT user_id AS id FROM account_changes')).toEqual([{ id: user.userId }]);

  await query('ALTER TABLE audit_entries DROP CONSTRAINT planted');
  expect(await Promise.all([relay(), relay(), relay()])).toEqual([false, false, false]);
  expect(await findEntries(user.userId)).toEqual(entriesOf(user));
  expect(await query('SELECT 1 FROM account_changes')).toEqual([]);
});
