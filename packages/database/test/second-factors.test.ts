import { createUuidV7 } from '@switchboard/core';
import { createRecoveryCodes, hashRecoveryCode } from '@switchboard/credentials';
import { createTestDatabase, type TestDatabase, openTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Database,
  createSecondFactorStore,
  createSessionStore,
  createUserStore,
} from '../src/index.ts';
import { waitForLock } from './wait-for-lock.ts';

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

async function addUser(): Promise<string> {
  const id = createUuidV7(Date.now());
  await createUserStore(database).create(
    { id, email: `${id}@example.com`, name: 'User', passwordHash: 'hash', createdAt: new Date() },
    { onlyTheFirst: false },
  );
  return id;
}

const newSession = (userId: string) => ({
  id: createUuidV7(Date.now()),
  userId,
  tokenHash: Buffer.from(createUuidV7(Date.now())),
  createdAt: new Date(),
  expiresAt: new Date(Date.now() + 60_000),
});

const toChange = (userId: string) => ({ userId, ip: '203.0.113.7', notifies: false });

async function turnOn(userId: string, codes: readonly string[] = []) {
  const store = createSecondFactorStore(database);
  await store.begin(userId, 'sealed');
  const confirmed = await store.confirm({
    ...toChange(userId),
    sealedSecret: 'sealed',
    step: 1_000,
    codeHashes: codes.map(hashRecoveryCode),
    keepSessionId: createUuidV7(Date.now()),
  });
  expect(confirmed).not.toBeNull();
  return store;
}

test('of 200 uses of one time step at the same time, one is accepted, and no earlier step afterwards', async () => {
  const userId = await addUser();
  const store = await turnOn(userId);
  const uses = await Promise.all(
    Array.from({ length: 200 }, () => store.acceptStep(userId, 'sealed', 1_001)),
  );
  expect(uses.filter(Boolean)).toHaveLength(1);
  expect(await store.acceptStep(userId, 'sealed', 1_000)).toBe(false);
  expect(await store.acceptStep(userId, 'sealed', 1_002)).toBe(true);
  expect(await store.acceptStep(userId, 'of another set-up', 1_003)).toBe(false);
});

test('of 200 uses of one recovery code at the same time, one is accepted', async () => {
  const userId = await addUser();
  const codes = createRecoveryCodes();
  const store = await turnOn(userId, codes);
  const hash = hashRecoveryCode(codes[0] ?? '');
  const uses = await Promise.all(
    Array.from({ length: 200 }, () => store.useRecoveryCode(toChange(userId), hash)),
  );
  expect(uses.filter(Boolean)).toHaveLength(1);
  expect(await store.find(userId)).toMatchObject({ recoveryCodesLeft: 9 });
  const other = await addUser();
  await turnOn(other);
  const theirs = hashRecoveryCode(codes[1] ?? '');
  expect(await store.useRecoveryCode(toChange(other), theirs)).toBe(false);
});

test('a factor that is being set up accepts no code and no recovery code', async () => {
  const userId = await addUser();
  const store = createSecondFactorStore(database);
  expect(await store.begin(userId, 'sealed')).toBe(true);
  expect(await store.acceptStep(userId, 'sealed', 1_001)).toBe(false);
  expect(await store.replaceRecoveryCodes(toChange(userId), [Buffer.from('code')])).toBe(false);
  expect(await store.findUsersWith([userId])).toEqual(new Set());
  await turnOn(userId);
  expect(await store.begin(userId, 'another')).toBe(false);
  expect(await store.findUsersWith([userId])).toEqual(new Set([userId]));
});

test('a login that did not pass the factor begins no session if the factor is turned on in the meantime', async () => {
  const userId = await addUser();
  await createSecondFactorStore(database).begin(userId, 'sealed');
  const other = new pg.Client({ connectionString: testDatabase.url });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    await other.query('UPDATE second_factors SET confirmed_at = now() WHERE user_id = $1', [
      userId,
    ]);
    const sessions = createSessionStore(database);
    const login = sessions.create({ ...newSession(userId), passwordHash: 'hash' });
    await waitForLock(database);
    await other.query('COMMIT');
    expect(await login).toBeNull();
    const passed = { ...newSession(userId), passwordHash: 'hash', passedSecondFactor: true };
    expect(await sessions.create(passed)).toEqual({ endedIds: [] });
  } finally {
    await other.end();
  }
});
