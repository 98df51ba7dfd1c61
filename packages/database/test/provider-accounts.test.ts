import {
  EVENTUALLY,
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { QUOTAS } from '@switchboard/core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  type Database,
  createCircuitBreakerStore,
  createPhoneNumberStore,
  createProviderAccountStore,
  createProviderStore,
} from '../src/index.ts';

let testDatabase: TestDatabase;
let database: Database;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  workspace = await createWorkspaceFixture(testDatabase.url);
});

const BY = { kind: 'operator', ip: null } as const;

async function addSecond(): Promise<string> {
  const created = await createProviderAccountStore(database).create(
    {
      workspaceId: workspace.workspaceId,
      type: 'twilio',
      vendorAccountId: 'second',
      sealedSecret: 'sealed',
      secretLast4: '',
      senderPool: null,
      name: 'Second',
      onUnknown: 'fail',
      isEnabled: true,
      at: new Date(),
    },
    BY,
  );
  if (typeof created === 'string') throw new Error(created);
  return created.id;
}

function listAccounts() {
  return createProviderStore(database).list(workspace.workspaceId, { number: 1, size: 10 });
}

test('a workspace has at most one default account, whatever writes it', async () => {
  await addSecond();
  await expect(
    database.pool.query('UPDATE provider_accounts SET is_default = true WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]),
  ).rejects.toThrow(/provider_accounts_one_default_idx/);
});

test('a new default account keeps its id and state, and so does the previous default', async () => {
  const id = await addSecond();
  const { workspaceId } = workspace;
  const breakers = createCircuitBreakerStore(database);
  await breakers.open({ workspaceId, sealedSecret: 'sealed', detail: 'down' });
  const before = (await listAccounts()).items;
  await createProviderAccountStore(database).update(
    workspaceId,
    id,
    { isDefault: true, at: new Date() },
    BY,
  );
  const after = (await listAccounts()).items;
  expect(after.map((account) => account.id)).toEqual(before.map((account) => account.id));
  expect(await createProviderStore(database).find(workspaceId)).toMatchObject({
    id,
    name: 'Second',
    failingDetail: 'down',
    isDefault: true,
  });
  expect(after.filter(({ isDefault }) => isDefault)).toHaveLength(1);
});

test('an account that is added again has its former id, if it is among the latest that were removed', async () => {
  const { workspaceId } = workspace;
  const accounts = createProviderAccountStore(database);
  const first = await addSecond();
  expect(await accounts.remove(workspaceId, first, BY)).toBe('removed');
  expect(await addSecond()).toBe(first);

  expect(await accounts.remove(workspaceId, first, BY)).toBe('removed');
  const others = QUOTAS.removedProvidersPerWorkspace - 1;
  const add = (names: string, at: string) =>
    database.pool.query(
      `INSERT INTO removed_accounts (workspace_id, vendor_account_id, provider_id, removed_at)
       SELECT $1, $2 || n, gen_random_uuid(), now() + $3::interval FROM generate_series(1, $4::int) n`,
      [workspaceId, names, at, others],
    );
  await add('newer', '1 hour');
  const another = await addSecond();
  expect(another).toBe(first);
  await add('newest', '2 hours');
  expect(await accounts.remove(workspaceId, another, BY)).toBe('removed');
  const { rows } = await database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM removed_accounts WHERE workspace_id = $1',
    [workspaceId],
  );
  expect(rows).toEqual([{ n: QUOTAS.removedProvidersPerWorkspace }]);
  expect(await addSecond()).not.toBe(first);
});

test('a circuit breaker opens and closes for one account of a workspace', async () => {
  await addSecond();
  const { workspaceId } = workspace;
  const breakers = createCircuitBreakerStore(database);
  const credentials = { workspaceId, sealedSecret: 'sealed' };
  expect(await breakers.open({ ...credentials, detail: 'down' })).toBe(true);
  const paused = async () =>
    (await breakers.listPaused()).filter((account) => account.workspaceId === workspaceId);
  expect(await paused()).toMatchObject([{ reason: 'failing', hasNoOther: false }]);
  await breakers.close(credentials);
  expect(await paused()).toEqual([]);
});

test('an account can be removed while the URL of one of its numbers is recorded: neither waits for the other', async () => {
  const { workspaceId, accountSid } = workspace;
  const numbers = createPhoneNumberStore(database);
  await database.pool.query(
    `INSERT INTO phone_numbers (id, workspace_id, number, capabilities, created_at)
     VALUES (gen_random_uuid(), $1, '+14155550122', '{sms}', now())`,
    [workspaceId],
  );
  const { items } = await numbers.list(workspaceId, { number: 1, size: 10 });
  const [first, second] = items.map(({ id }) => id);
  const countWaiting = async () => {
    const { rows } = await database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    return rows[0]?.n;
  };

  const holder = await database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM phone_numbers WHERE id = $1 FOR UPDATE', [second]);
    // Waits for the second number while it holds the locks that it took before.
    const removing = createProviderAccountStore(database).remove(workspaceId, null, BY);
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1), EVENTUALLY);
    const recording = numbers.recordInbound(
      { workspaceId, id: first ?? '', vendorAccountId: accountSid },
      'https://example.com/inbound',
    );
    await vi.waitFor(async () => expect(await countWaiting()).toBe(2), EVENTUALLY);
    await holder.query('COMMIT');
    await expect(Promise.all([removing, recording])).resolves.toEqual(['removed', undefined]);
  } finally {
    holder.release();
  }
});
