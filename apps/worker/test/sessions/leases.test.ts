import { randomUUID } from 'node:crypto';
import { EVENTUALLY, startRelay } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LEASE_MS, startSessionEnvironment } from './start-session-environment.ts';

type Environment = Awaited<ReturnType<typeof startSessionEnvironment>>;
type Keeper = Awaited<ReturnType<Environment['startKeeper']>>;

/** Starts workers at the same time. */
function startKeepers(environment: Environment, count: number): Promise<Keeper[]> {
  return Promise.all(Array.from({ length: count }, () => environment.startKeeper(randomUUID())));
}

function boundOf(keepers: readonly Keeper[]): number[] {
  return keepers.map((keeper) => keeper.countBound());
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

const request = {
  messageId: randomUUID(),
  attempt: 1,
  to: '+14155550100',
  from: '+15005550006',
  body: 'Text',
  mediaUrls: [],
  statusUrl: '',
};

test('three workers share exactly the binds that the SMSC permits, and each holds a session', async () => {
  const environment = await startSessionEnvironment();
  await environment.addAccount(4);
  const keepers = await startKeepers(environment, 3);
  await vi.waitFor(() => {
    expect(sum(boundOf(keepers))).toBe(4);
    expect(Math.min(...boundOf(keepers))).toBe(1);
  }, EVENTUALLY);
  // The simulator refuses a fifth bind.
  expect(keepers.flatMap(({ failures }) => failures)).toEqual([]);
});

test('a worker that starts later gets its share of the sessions, one after the other', async () => {
  const environment = await startSessionEnvironment();
  for (let account = 0; account < 5; account += 1) await environment.addAccount(1);
  const first = await environment.startKeeper(randomUUID());
  await vi.waitFor(() => expect(first.countBound()).toBe(5), EVENTUALLY);
  const second = await environment.startKeeper(randomUUID());
  await vi.waitFor(
    () => expect(boundOf([first, second]).toSorted((a, b) => a - b)).toEqual([2, 3]),
    {
      timeout: 60_000,
    },
  );
  expect([...first.failures, ...second.failures]).toEqual([]);
});

test('a worker that loses its database closes its session before the lease ends, and then another worker binds', async () => {
  const environment = await startSessionEnvironment();
  await environment.addAccount(1);
  const { port } = new URL(environment.databaseUrl);
  const relay = await startRelay([Number(port)]);
  onTestFinished(() => relay.close());
  const url = new URL(environment.databaseUrl);
  url.port = new URL(relay.url).port;
  url.hostname = '127.0.0.1';
  // The session ends after 70 % of its lease. A busy machine may need a part of the rest.
  const leaseMs = 4 * LEASE_MS;
  const cutOff = await environment.startKeeper(randomUUID(), { url: url.href, leaseMs });
  await vi.waitFor(() => expect(cutOff.countBound()).toBe(1), EVENTUALLY);
  const [session] = cutOff.list();
  if (session === undefined) throw new Error('no session is held');
  const { adapter, account } = session.account.resolved;
  await relay.refuse();
  const other = await environment.startKeeper(randomUUID());
  await vi.waitFor(() => expect(cutOff.list()).toEqual([]), { timeout: 60_000, interval: 10 });
  expect(other.list()).toEqual([]);
  expect(session.fence.isHeld()).toBe(false);
  expect(await adapter.send(account, request, () => true)).toMatchObject({ kind: 'not_sent' });
  await vi.waitFor(() => expect(other.countBound()).toBe(1), EVENTUALLY);
  // The simulator permits one bind.
  expect(other.failures).toEqual([]);
});

test('a session that is not closed in time writes nothing after the end of its lease', async () => {
  const environment = await startSessionEnvironment();
  await environment.addAccount(1);
  const keeper = await environment.startKeeper(randomUUID());
  await vi.waitFor(() => expect(keeper.countBound()).toBe(1), EVENTUALLY);
  const [session] = keeper.list();
  if (session === undefined) throw new Error('no session is held');
  const { adapter, account } = session.account.resolved;
  // As after a sleep of the machine, before any timer runs.
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + LEASE_MS);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await adapter.send(account, request, () => true)).toMatchObject({
    kind: 'not_sent',
    reason: 'lease_expired',
  });
});

test.each([
  ['disabled', `UPDATE provider_accounts SET enabled = false WHERE id = $1`],
  ['deleted', `DELETE FROM provider_accounts WHERE id = $1`],
])(
  'the session of an account that is %s is closed, and its place is released',
  async (_what, sql) => {
    const environment = await startSessionEnvironment();
    const id = await environment.addAccount(1);
    const keeper = await environment.startKeeper(randomUUID());
    await vi.waitFor(() => expect(keeper.countBound()).toBe(1), EVENTUALLY);
    await environment.database.pool.query(sql, [id]);
    await vi.waitFor(async () => {
      expect(keeper.list()).toEqual([]);
      const { rows } = await environment.database.pool.query(
        'SELECT 1 FROM provider_session_leases',
      );
      expect(rows).toEqual([]);
    }, EVENTUALLY);
  },
);

test('a worker that shuts down releases its places, which another worker takes without waiting for the lease', async () => {
  const environment = await startSessionEnvironment();
  await environment.addAccount(1);
  const [first, second] = await startKeepers(environment, 2);
  if (first === undefined || second === undefined) throw new Error('no keepers');
  await vi.waitFor(() => expect(sum(boundOf([first, second]))).toBe(1), EVENTUALLY);
  const [holder, other] = first.countBound() === 1 ? [first, second] : [second, first];
  await holder.leave();
  expect(holder.countBound()).toBe(0);
  await holder.close();
  const { rows } = await environment.database.pool.query<{ holders: number }>(
    `SELECT count(*)::int AS holders FROM provider_session_leases`,
  );
  expect(rows[0]?.holders).toBeLessThanOrEqual(1);
  await vi.waitFor(() => expect(other.countBound()).toBe(1), EVENTUALLY);
  expect(other.failures).toEqual([]);
});
