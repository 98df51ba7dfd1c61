import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type DispatchHint,
  type HintProducer,
  createUuidV7,
  timeOfUuidV7,
  SECRET_FIELD,
} from '@switchboard/core';
import {
  type AcceptedMessage,
  type Database,
  type MessageStore,
  createMessageStore,
  createProviderStore,
} from '@switchboard/database';
import { createHintProducer } from '@switchboard/queue';
import { createLogger, createSecretBox } from '@switchboard/runtime';
import {
  TEST_SECRET_KEY,
  createTestDatabase,
  createWorkspaceFixture,
  startSimulator,
  openTestDatabase,
} from '@switchboard/testing';
import { onTestFinished } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createWorker } from '../src/create-worker.ts';

/** Timeouts for tests in which the provider always answers in time, even on a busy machine. */
export const LONG_TIMEOUTS = {
  PROVIDER_TIMEOUT_MS: '15000',
  LEASE_MS: '40000',
  UNKNOWN_LOOKUPS_MS: '20000',
};

/** Timeouts for tests in which the provider takes many seconds on purpose. */
export const SLOW_CALLS = {
  PROVIDER_TIMEOUT_MS: '40000',
  LEASE_MS: '90000',
  UNKNOWN_LOOKUPS_MS: '60000',
};

/** Timeouts for tests that wait until leases and holds end. A busy machine may need seconds for a call. */
export const SHORT_LEASES = {
  PROVIDER_TIMEOUT_MS: '4000',
  LEASE_MS: '8000',
  UNKNOWN_LOOKUPS_MS: '300,600,5000',
};

/** A recipient that the simulator accepts. */
export const FROM = '+15005550006';

export interface StoredRow {
  id: string;
  dispatch: string;
  status: string;
  attempt: number;
  resends: number;
  provider_sid: string | null;
  provider_status: string | null;
  sid_adopted: boolean;
  error_code: string | null;
  from: string | null;
}

/** Longer than any wait for a hint. Above five minutes, a worker would assume a wrong clock. */
const HINT_GRACE_MS = 240_000;

interface LedgerLine {
  sid: string;
  account_sid: string;
  to: string;
  body: string;
}

export interface EnvironmentOptions {
  /** A provider URL that replaces the simulator. */
  providerUrl?: string;
  redisUrl?: string;
  /** A migrated database to use instead of a new one. */
  databaseUrl?: string;
  /** How long the sweeper waits for the first hint of a new message. */
  hintGraceMs?: number;
  settings?: Record<string, string>;
}

/**
 * Starts a database, a carrier and everything else that sending a message needs. All of it is
 * closed with the test, or with the file if `afterAll` is passed.
 */
export async function startEnvironment(
  options: EnvironmentOptions = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
) {
  const database =
    options.databaseUrl === undefined
      ? await createTestDatabase()
      : { url: options.databaseUrl, drop: async () => undefined };
  const simulator = await startSimulator();
  const own: Database = openTestDatabase(database.url);
  const store: MessageStore = createMessageStore(own, {
    leaseMs: 60_000,
    hintGraceMs: options.hintGraceMs ?? HINT_GRACE_MS,
  });
  const producer: HintProducer = createHintProducer({
    redisUrl: options.redisUrl ?? null,
    databaseUrl: database.url,
    timeoutMs: 20_000,
    onError: () => undefined,
  });
  const stops: (() => Promise<void>)[] = [];
  atEnd(async () => {
    for (const stop of stops) await stop();
    await producer.close();
    await own.close();
    await simulator.stop();
    await database.drop();
  });

  function seal(workspaceId: string, token: string): string {
    return createSecretBox(TEST_SECRET_KEY).seal(token, { workspaceId, field: SECRET_FIELD });
  }

  /** Stores new credentials, as an owner does. */
  async function setToken(workspaceId: string, token: string): Promise<void> {
    const { vendorAccountId } = await own.prisma.providerAccount.findFirstOrThrow({
      where: { workspaceId, isDefault: true },
    });
    await createProviderStore(own).put({
      workspaceId,
      type: 'twilio',
      vendorAccountId,
      sealedSecret: seal(workspaceId, token),
      secretLast4: 'cret',
      senderPool: null,
      onUnknown: 'resend',
      at: new Date(),
    });
  }

  async function addWorkspace(
    account: {
      onUnknown?: 'resend' | 'fail';
      accountSid?: string;
      token?: string;
      sealedFor?: string;
      /** `false`: the provider has not accepted the credentials yet. */
      verified?: boolean;
    } = {},
  ) {
    const accountSid = account.accountSid ?? `AC${randomBytes(16).toString('hex')}`;
    const authToken = account.token ?? `token of ${accountSid}`;
    const { workspaceId, providerId } = await createWorkspaceFixture(database.url, {
      accountSid,
      authToken,
      from: null,
      onUnknown: account.onUnknown ?? 'resend',
      verified: account.verified !== false,
    });
    if (account.sealedFor !== undefined) {
      await own.pool.query(
        `UPDATE provider_accounts
         SET sealed_secret = $2, verified_credentials = $2
         WHERE workspace_id = $1 AND is_default`,
        [workspaceId, seal(account.sealedFor, authToken)],
      );
    }
    return { workspaceId, providerId, accountSid };
  }

  async function accept(
    workspaceId: string,
    to: string,
    { hint = true, ...message }: Partial<AcceptedMessage> & { hint?: boolean } = {},
  ): Promise<DispatchHint> {
    const [messageId, requestId] = [createUuidV7(Date.now()), randomUUID()];
    await store.accept({
      id: messageId,
      createdAt: new Date(timeOfUuidV7(messageId)),
      workspaceId,
      to,
      from: FROM,
      body: `Text ${messageId}`,
      media: [],
      segments: 1,
      scheduledAt: null,
      requestId,
      idempotency: null,
      ...message,
    });
    const accepted = { messageId, workspaceId, requestId };
    if (hint) await producer.enqueue([accepted]);
    return accepted;
  }

  async function startWorker(settings: Record<string, string> = {}) {
    const logs: Record<string, unknown>[] = [];
    const logger = createLogger({
      name: 'worker',
      level: 'debug',
      destination: { write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>) },
    });
    const config = readConfig({
      DATABASE_URL: database.url,
      REDIS_URL: options.redisUrl,
      SECRET_KEY: TEST_SECRET_KEY,
      PUBLIC_URL: 'http://127.0.0.1:9',
      TWILIO_API_URL: options.providerUrl ?? simulator.url,
      ...LONG_TIMEOUTS,
      UNKNOWN_LOOKUPS_MS: '300,600,20000',
      POLL_MS: '200,400,800,1600,3200',
      SWEEP_MS: '100',
      ...options.settings,
      ...settings,
    });
    const worker = await createWorker(config, logger);
    let stopped: Promise<void> | null = null;
    async function runPhases(): Promise<void> {
      for (const phase of worker.shutdownPhases) await phase.run();
    }
    const stop = () => (stopped ??= runPhases());
    stops.unshift(stop);
    const url = await worker.start();
    return { url, logs, stop };
  }

  async function row(id: string): Promise<StoredRow> {
    const { rows } = await own.pool.query<StoredRow>('SELECT * FROM messages WHERE id = $1', [id]);
    const [found] = rows;
    if (found === undefined) throw new Error(`no row has the id ${id}`);
    return found;
  }

  /** Waits until the row satisfies the condition; fails with the current row. */
  async function until(
    id: string,
    isExpected: (row: StoredRow) => boolean,
    timeoutMs = 60_000,
  ): Promise<StoredRow> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const now = await row(id);
      if (isExpected(now)) return now;
      if (performance.now() > deadline) {
        throw new Error(
          `the row did not reach the expected state within ${timeoutMs} ms: ${JSON.stringify(now)}`,
        );
      }
      await delay(25);
    }
  }

  /** Reads the messages that the carrier accepted, of one account or of all. */
  async function ledger(accountSid?: string): Promise<LedgerLine[]> {
    const response = await fetch(`${simulator.url}/simulator/ledger`, {
      headers: { connection: 'close' },
    });
    const text = await response.text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LedgerLine)
      .filter((line) => accountSid === undefined || line.account_sid === accountSid);
  }

  async function behave(behaviour: Record<string, number>): Promise<void> {
    const response = await fetch(`${simulator.url}/simulator/behaviour`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(behaviour),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  async function events(id: string): Promise<string[]> {
    const { rows } = await own.pool.query<{ type: string }>(
      'SELECT type FROM message_timeline WHERE message_id = $1 ORDER BY message_version',
      [id],
    );
    return rows.map(({ type }) => type);
  }

  return {
    database: own,
    databaseUrl: database.url,
    store,
    producer,
    simulator,
    addWorkspace,
    setToken,
    accept,
    startWorker,
    row,
    until,
    ledger,
    behave,
    events,
  };
}
