import { parseProviderCredentials } from '@switchboard/contracts';
import { LOOPBACK_NETWORKS, createUuidV7, SECRET_FIELD } from '@switchboard/core';
import { createSessionLeaseStore, type Database } from '@switchboard/database';
import { createProviderRegistry, createResolveProviderAccount } from '@switchboard/providers';
import { createLogger, createSecretBox } from '@switchboard/runtime';
import {
  TEST_SECRET_KEY,
  createTestDatabase,
  createWorkspaceFixture,
  startSimulator,
  openTestDatabase,
} from '@switchboard/testing';
import { onTestFinished } from 'vitest';
import { createCallCounts } from '../../src/sessions/call-counts.ts';
import { createSessionDirectory } from '../../src/sessions/session-directory.ts';
import { createSessionKeeper } from '../../src/sessions/session-keeper.ts';

/** Short, so that tests do not wait long for the end of a lease. */
export const LEASE_MS = 4_000;

export type SmppCredentials = Record<string, unknown> & { system_id: string; password: string };

/** Creates an account at the simulated SMSC, which refuses more binds than `maxBinds`. */
export async function createSmppAccount(
  simulatorUrl: string,
  options: { maxBinds?: number; credentials?: Record<string, unknown> } = {},
): Promise<SmppCredentials> {
  const response = await fetch(`${simulatorUrl}/simulator/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ type: 'smpp', max_binds: options.maxBinds ?? 100, ...options }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { credentials } = (await response.json()) as { credentials: SmppCredentials };
  return { ...credentials, ...options.credentials };
}

/** Encrypts SMPP credentials as the API does. */
export async function sealCredentials(workspaceId: string, input: Record<string, unknown>) {
  const registry = await createProviderRegistry({ apiUrls: {}, callTimeoutMs: 1_000 });
  const adapter = registry.get('smpp');
  if (adapter === null) throw new Error('no adapter for SMPP');
  const { account, secretLast4 } = adapter.readCredentials(parseProviderCredentials('smpp', input));
  await registry.close();
  const sealed = createSecretBox(TEST_SECRET_KEY).seal(account.secret, {
    workspaceId,
    field: SECRET_FIELD,
  });
  return { vendorAccountId: account.vendorAccountId, sealed, secretLast4 };
}

/**
 * Stores SMPP credentials as an account of the workspace, which becomes the default if there is
 * none.
 */
export async function addSmppAccount(
  { pool }: Pick<Database, 'pool'>,
  workspaceId: string,
  input: Record<string, unknown>,
): Promise<string> {
  const { vendorAccountId, sealed, secretLast4 } = await sealCredentials(workspaceId, input);
  const { rowCount } = await pool.query('SELECT 1 FROM provider_accounts WHERE workspace_id = $1', [
    workspaceId,
  ]);
  const id = createUuidV7(Date.now());
  await pool.query(
    `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       secret_last4, on_unknown, name, is_default, created_at, updated_at)
     VALUES ($1, $2, 'smpp', $3, $4, $5, 'fail', '', $6, now(), now())`,
    [id, workspaceId, vendorAccountId, sealed, secretLast4, rowCount === 0],
  );
  return id;
}

/** Starts a database and a simulated SMSC, which are closed with the test. */
export async function startSessionEnvironment() {
  const database = await createTestDatabase();
  const simulator = await startSimulator();
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const stop of stops.toReversed()) await stop();
    await simulator.stop();
    await database.drop();
  });

  function openDatabase(url: string): Database {
    const opened = openTestDatabase(url);
    stops.push(() => opened.close());
    return opened;
  }

  const own = openDatabase(database.url);

  async function addAccount(maxBinds: number, workspaceId?: string): Promise<string> {
    const credentials = await createSmppAccount(simulator.url, {
      maxBinds,
      credentials: { max_binds: maxBinds },
    });
    const { workspaceId: fresh } = await createWorkspaceFixture(database.url, { provider: false });
    return addSmppAccount(own, workspaceId ?? fresh, credentials);
  }

  /** Starts the part of a worker that holds sessions. */
  async function startKeeper(workerId: string, { url = database.url, leaseMs = LEASE_MS } = {}) {
    const registry = await createProviderRegistry({
      apiUrls: {},
      callTimeoutMs: 5_000,
      privateNetworks: LOOPBACK_NETWORKS,
    });
    const failures: string[] = [];
    const directory = createSessionDirectory({ workerId, types: ['smpp'] });
    const calls = createCallCounts();
    const keeper = createSessionKeeper({
      directory,
      calls,
      leases: createSessionLeaseStore(openDatabase(url)),
      resolveProviderAccount: createResolveProviderAccount({
        registry,
        secretBox: createSecretBox(TEST_SECRET_KEY),
      }),
      createReceiver: () => ({
        onStatus: async () => undefined,
        onInbound: async () => undefined,
        onProblem: () => undefined,
        onStateChange: () => undefined,
      }),
      onStateChange({ state }) {
        if ('detail' in state && state.detail !== null) failures.push(state.detail);
      },
      onFailing: () => undefined,
      clock: { now: () => Date.now(), monotonic: () => performance.now() },
      leaseMs,
      logger: createLogger({ name: 'test', level: 'silent' }),
    });
    stops.push(async () => {
      await keeper.close();
      await registry.close();
    });
    await keeper.start();
    return {
      ...keeper,
      directory,
      call: calls.run,
      list: directory.held.list,
      /** Reasons why a session of this keeper was not bound. */
      failures,
      countBound: () =>
        directory.held.list().filter(({ leaseState }) => leaseState === 'bound').length,
    };
  }

  return { databaseUrl: database.url, database: own, simulator, addAccount, startKeeper };
}
