import { createUuidV7 } from '@switchboard/core';
import { createTestDatabase, type TestDatabase, openTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createInviteStore,
  createUserStore,
  createWorkspaceStore,
  type Database,
} from '../src/index.ts';
import { waitForLock } from './wait-for-lock.ts';

let testDatabase: TestDatabase;
let database: Database;
let other: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { url } = testDatabase;
  database = openTestDatabase(url);
  other = new pg.Client({ connectionString: url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await database.close();
  await testDatabase.drop();
});

let made = 0;

function newUser(email: string) {
  const id = createUuidV7(Date.now());
  return { id, email, name: 'User', passwordHash: 'hash', createdAt: new Date() };
}

/** Adds a workspace with an owner, who has sent an invite. */
async function addWorkspace() {
  made += 1;
  const owner = newUser(`owner-${made}@example.com`);
  await createUserStore(database).create(owner, { onlyTheFirst: false });
  const id = createUuidV7(Date.now());
  const createdAt = new Date();
  const workspace = { id, name: 'Test', ownerId: owner.id, ip: null, createdAt };
  await createWorkspaceStore(database).create(workspace);
  return { workspaceId: id, ownerId: owner.id, email: `invited-${made}@example.com` };
}

function putInvite(
  { workspaceId, email }: { workspaceId: string; email: string },
  invitedBy: string,
  tokenHash: Buffer,
) {
  const createdAt = new Date();
  const expiresAt = new Date(Date.now() + 60_000);
  const invite = { workspaceId, email, role: 'owner', tokenHash, invitedBy } as const;
  return createInviteStore(database).put({ ...invite, createdAt, expiresAt }, { ip: '192.0.2.1' });
}

test('a user who waits for an invite being withdrawn does not join', async () => {
  const workspace = await addWorkspace();
  const tokenHash = Buffer.alloc(32, made);
  expect(await putInvite(workspace, workspace.ownerId, tokenHash)).toBe('put');
  const user = newUser(workspace.email);
  await createUserStore(database).create(user, { onlyTheFirst: false });
  await other.query('BEGIN');
  await other.query('DELETE FROM invites WHERE workspace_id = $1', [workspace.workspaceId]);
  const accepted = createInviteStore(database).accept(tokenHash, user, '192.0.2.1', new Date());
  await waitForLock(database);
  await other.query('COMMIT');
  expect(await accepted).toBe('invite_unknown');
  const members = 'SELECT 1 FROM members WHERE user_id = $1';
  expect((await database.pool.query(members, [user.id])).rows).toEqual([]);
});

test('an owner who is being removed leaves no valid invite', async () => {
  const workspace = await addWorkspace();
  const { workspaceId } = workspace;
  const second = newUser(`second-${made}@example.com`);
  await createUserStore(database).create(second, { onlyTheFirst: false });
  await database.pool.query(`INSERT INTO members VALUES ($1, $2, 'owner', now())`, [
    workspaceId,
    second.id,
  ]);

  await other.query('BEGIN');
  await other.query('SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  await other.query('DELETE FROM members WHERE user_id = $1', [second.id]);
  const invite = putInvite(workspace, second.id, Buffer.alloc(32, 100 + made));
  await waitForLock(database);
  await other.query('COMMIT');
  expect(await invite).toBe('not_an_owner');
  const invites = 'SELECT 1 FROM invites WHERE workspace_id = $1';
  expect((await database.pool.query(invites, [workspaceId])).rows).toEqual([]);
});
