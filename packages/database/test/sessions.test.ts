import { createUuidV7 } from '@switchboard/core';
import { createTestDatabase, type TestDatabase, openTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSessionStore, createUserStore, type Database } from '../src/index.ts';
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

async function addUser() {
  made += 1;
  const id = createUuidV7(Date.now());
  await createUserStore(database).create(
    {
      id,
      email: `user-${made}@example.com`,
      name: 'User',
      passwordHash: 'old',
      createdAt: new Date(),
    },
    { onlyTheFirst: false },
  );
  return id;
}

async function addSession(userId: string, passwordHash?: string) {
  made += 1;
  const tokenHash = Buffer.alloc(32, made);
  const id = createUuidV7(Date.now());
  const created = await createSessionStore(database).create({
    id,
    userId,
    tokenHash,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
    ...(passwordHash !== undefined && { passwordHash }),
  });
  return { id, tokenHash, created };
}

test('a login during a password change waits for it and creates no session', async () => {
  const userId = await addUser();
  await other.query('BEGIN');
  await other.query(`UPDATE users SET password_hash = 'new' WHERE id = $1`, [userId]);
  const login = addSession(userId, 'old');
  await waitForLock(database);
  await other.query('COMMIT');
  expect((await login).created).toBeNull();
  expect((await addSession(userId, 'new')).created).toEqual({ endedIds: [] });
});

test('a password change waits for a login in flight and ends its session', async () => {
  const userId = await addUser();
  const kept = await addSession(userId);
  await other.query('BEGIN');
  await other.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  await other.query(
    `INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, 'hash', now(), now(), now() + interval '1 hour')`,
    [createUuidV7(Date.now()), userId],
  );
  const change = createUserStore(database).changePassword({
    userId,
    oldHash: 'old',
    newHash: 'new',
    keepSessionId: kept.id,
    ip: '192.0.2.1',
  });
  await waitForLock(database);
  await other.query('COMMIT');
  expect(await change).toEqual({ endedSessionIds: [expect.any(String)] });
  const { rows } = await database.pool.query('SELECT id FROM sessions WHERE user_id = $1', [
    userId,
  ]);
  expect(rows).toEqual([{ id: kept.id }]);
});

test('a session lookup does not wait for another that records the session’s use', async () => {
  const userId = await addUser();
  const { id, tokenHash } = await addSession(userId);
  await other.query(`UPDATE sessions SET last_seen_at = now() - interval '1 hour' WHERE id = $1`, [
    id,
  ]);
  await other.query('BEGIN');
  await other.query('SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE', [id]);
  const sessions = createSessionStore(database);
  expect((await sessions.findActive(tokenHash))?.id).toBe(id);
  await other.query('COMMIT');

  const lastSeen = async () =>
    (
      await other.query<{ ago: number }>(
        'SELECT extract(epoch FROM now() - last_seen_at)::float AS ago FROM sessions WHERE id = $1',
        [id],
      )
    ).rows[0]?.ago;
  expect(await lastSeen()).toBeGreaterThan(3_000);
  await sessions.findActive(tokenHash);
  expect(await lastSeen()).toBeLessThan(60);
});
