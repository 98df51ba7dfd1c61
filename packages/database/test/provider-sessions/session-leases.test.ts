import { randomUUID } from 'node:crypto';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SessionLeaseStore, createSessionLeaseStore } from '../../src/index.ts';
import { type SessionEnvironment, openSessionEnvironment } from './environment.ts';

const LEASE_MS = 60_000;

let environment: SessionEnvironment;
let leases: SessionLeaseStore;

beforeAll(async () => {
  environment = await openSessionEnvironment();
  leases = createSessionLeaseStore(environment.database);
});
afterAll(() => environment.close());

async function addAccount() {
  const { workspaceId, id, sealedSecret } = await environment.addAccount();
  return { workspaceId, id, sealedSecret };
}

/** Ends the leases of an account. */
async function endLeases(providerId: string): Promise<void> {
  await environment.database.pool.query(
    `UPDATE provider_session_leases SET leased_until = now() - interval '1 second'
     WHERE provider_id = $1`,
    [providerId],
  );
}

test('when six workers try to take a place at the same moment, exactly one gets it', async () => {
  const account = await addAccount();
  const blocker = await environment.database.pool.connect();
  // Reads pass, writes wait, so all six have found the place free before any of them takes it.
  await blocker.query('BEGIN; LOCK TABLE provider_session_leases IN EXCLUSIVE MODE');
  const taking = Array.from({ length: 6 }, () =>
    leases.take(account, { holder: randomUUID(), maxPlaces: 1, leaseMs: LEASE_MS }),
  );
  await vi.waitFor(async () => {
    const { rows } = await blocker.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_locks
       WHERE NOT granted AND relation = 'provider_session_leases'::regclass`,
    );
    expect(rows[0]?.waiting).toBe(6);
  }, EVENTUALLY);
  await blocker.query('COMMIT');
  blocker.release();
  expect((await Promise.all(taking)).filter((place) => place !== null)).toEqual([1]);
});

test('an account has as many leases as it has places, each in a different place', async () => {
  const account = await addAccount();
  const take = () =>
    leases.take(account, { holder: randomUUID(), maxPlaces: 3, leaseMs: LEASE_MS });
  expect([await take(), await take(), await take(), await take()]).toEqual([1, 2, 3, null]);
});

test('a lease that has ended is not renewed, and another worker takes its place', async () => {
  const account = await addAccount();
  const [first, second] = [randomUUID(), randomUUID()];
  const options = { maxPlaces: 1, leaseMs: LEASE_MS };
  expect(await leases.take(account, { holder: first, ...options })).toBe(1);
  const held = { workspaceId: account.workspaceId, providerId: account.id, place: 1 };
  const renew = (holder: string) => leases.renew(holder, [{ ...held, state: 'bound' }], LEASE_MS);
  expect(await renew(first)).toEqual([{ ...held, isWanted: false }]);
  expect(await renew(second)).toEqual([]);
  await endLeases(account.id);
  expect(await renew(first)).toEqual([]);
  expect(await leases.take(account, { holder: second, ...options })).toBe(1);
  await leases.release(first, held);
  expect(await renew(second)).toEqual([{ ...held, isWanted: false }]);
});

test('no place is taken while a session holds a place beyond the account’s reduced maximum', async () => {
  const account = await addAccount();
  const take = (maxPlaces: number) =>
    leases.take(account, { holder: randomUUID(), maxPlaces, leaseMs: LEASE_MS });
  await take(2);
  expect(await take(2)).toBe(2);
  await environment.database.pool.query(
    'DELETE FROM provider_session_leases WHERE provider_id = $1 AND place = 1',
    [account.id],
  );
  expect(await take(1)).toBeNull();
  await endLeases(account.id);
  expect(await take(1)).toBe(1);
});

test('no place is free for a disabled account or for changed credentials', async () => {
  const account = await addAccount();
  const options = { holder: randomUUID(), maxPlaces: 1, leaseMs: LEASE_MS };
  expect(await leases.take({ ...account, sealedSecret: 'other' }, options)).toBeNull();
  await environment.database.pool.query(
    'UPDATE provider_accounts SET enabled = false WHERE id = $1',
    [account.id],
  );
  expect(await leases.take(account, options)).toBeNull();
});

test('a worker requests one place from a worker that has at least two more', async () => {
  await environment.database.pool.query('DELETE FROM provider_session_leases');
  const [rich, poor] = [randomUUID(), randomUUID()];
  const accounts = [await addAccount(), await addAccount()];
  for (const account of accounts) {
    await leases.take(account, { holder: rich, maxPlaces: 1, leaseMs: LEASE_MS });
  }
  await leases.requestPlace(poor, LEASE_MS);
  await leases.requestPlace(poor, LEASE_MS);
  const places = accounts.map(({ workspaceId, id }) => ({
    workspaceId,
    providerId: id,
    place: 1,
    state: 'bound' as const,
  }));
  const wanted = (await leases.renew(rich, places, LEASE_MS)).filter(({ isWanted }) => isWanted);
  expect(wanted).toHaveLength(1);
});

test('after the database’s clock is set back, no lease is longer than one that begins now', async () => {
  const account = await addAccount();
  const holder = randomUUID();
  await leases.take(account, { holder, maxPlaces: 1, leaseMs: 3_600_000 });
  await leases.shorten(LEASE_MS);
  const { rows } = await environment.database.pool.query<{ isShort: boolean }>(
    `SELECT leased_until < now() + interval '2 minutes' AS "isShort"
     FROM provider_session_leases WHERE provider_id = $1`,
    [account.id],
  );
  expect(rows).toEqual([{ isShort: true }]);
});
