import { type Change, type DispatchFields } from '@switchboard/core';
import { createMessageStore } from '@switchboard/database';
import { openTestDatabase } from '@switchboard/testing';
import { draftMessage } from '../environment/backlog.ts';
import { readCpuSeconds } from '../environment/machine.ts';

/** The number of messages in one statement. */
const BATCH = 20;
const STATUSES = ['queued', 'sent', 'delivered'] as const;

/** The costs of a message: the CPU time of PostgreSQL, and the time from statement to result, in µs. */
export interface MessageCost {
  'CPU time': number;
  'statement time': number;
}

export interface CostMeter {
  measure(batches: number): Promise<MessageCost>;
  close(): Promise<void>;
}

/** Measures the statements that the API and the worker run for a message, from acceptance to delivery. */
export async function openCostMeter(databaseUrl: string): Promise<CostMeter> {
  const database = openTestDatabase(databaseUrl, { poolSize: 1 });
  const store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
  const { rows: workspaces } = await database.pool.query<{ id: string }>(
    'SELECT id FROM workspaces ORDER BY id',
  );
  const { rows } = await database.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid ?? 0;
  type Claimed = NonNullable<Awaited<ReturnType<typeof store.claim>>>;

  async function claimNew(_: unknown, index: number): Promise<Claimed> {
    const workspaceId = workspaces[index % workspaces.length]?.id ?? '';
    const to = Math.floor(Math.random() * 50_000);
    const draft = draftMessage({ workspaceId, from: '+15005550001' }, to);
    await store.accept(draft);
    const claimed = await store.claim({ messageId: draft.id, workspaceId });
    if (claimed === null) throw new Error('Another process claimed a message.');
    return claimed;
  }

  async function processBatch(): Promise<void> {
    const claimed = await Promise.all(Array.from({ length: BATCH }, claimNew));
    for (const [step, status] of STATUSES.entries()) {
      const changes = claimed.map((message) => changeTo(status, step, message));
      const results = await Promise.all(changes.map((change) => store.apply(change)));
      if (results.some(({ kind }) => kind !== 'applied'))
        throw new Error('A change was not applied.');
    }
  }

  return {
    async measure(batches) {
      const [cpu, at] = [readCpuSeconds(pid), performance.now()];
      for (let batch = 0; batch < batches; batch += 1) await processBatch();
      const messages = batches * BATCH;
      return {
        'CPU time': ((readCpuSeconds(pid) - cpu) * 1e6) / messages,
        'statement time': ((performance.now() - at) * 1000) / messages,
      };
    },
    close: () => database.close(),
  };
}

function changeTo(
  status: (typeof STATUSES)[number],
  step: number,
  message: Omit<DispatchFields, 'status' | 'dispatch'> & {
    id: string;
    workspaceId: string;
    version: number;
  },
): Change {
  const { id, workspaceId, version } = message;
  return {
    id,
    workspaceId,
    expectedVersion: version + step,
    wasInProgress: true,
    next: {
      dispatch: 'accepted',
      status,
      providerStatus: status,
      providerSid: `SM${id.replaceAll('-', '')}`,
      providerId: message.providerId,
      vendorAccountId: 'AC0123456789abcdef0123456789abcdef',
      sidAdopted: false,
      resends: message.resends,
      provedResends: message.provedResends,
      failedAccounts: message.failedAccounts,
      lookups: message.lookups,
      from: message.from,
      errorCode: message.errorCode,
      errorDetail: message.errorDetail,
      errorStatus: null,
    },
    notBeforeInMs: null,
    dueInMs: status === 'delivered' ? null : 60_000,
    event: { type: 'status_changed', detail: null, visible: true },
    optsOut: false,
  };
}
