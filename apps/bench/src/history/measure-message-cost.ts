import { randomUUID } from 'node:crypto';
import { type Change, type DispatchFields, createUuidV7 } from '@switchboard/core';
import { createMessageStore } from '@switchboard/database';
import { openTestDatabase } from '@switchboard/testing';
import { readCpuSeconds } from '../environment/cpu-seconds.ts';

export interface MessageCost {
  /** The CPU time of the connection's PostgreSQL process, for each message. */
  cpuMicroseconds: number;
  /** The time from statement to result, for each message. */
  statementMicroseconds: number;
}

/** The number of messages in one statement. */
const BATCH = 20;

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

  async function processBatch(): Promise<void> {
    const hints = await Promise.all(
      Array.from({ length: BATCH }, async (_, index) => {
        const createdAt = new Date();
        const workspaceId = workspaces[index % workspaces.length]?.id ?? '';
        const id = createUuidV7(createdAt.getTime());
        await store.accept({
          id,
          createdAt,
          workspaceId,
          to: `+1202${String(Math.floor(Math.random() * 50_000)).padStart(7, '0')}`,
          from: '+15005550001',
          body: 'Your table for two is booked',
          media: [],
          segments: 1,
          scheduledAt: null,
          requestId: randomUUID(),
          idempotency: null,
        });
        return { messageId: id, workspaceId };
      }),
    );
    const claimed = await Promise.all(hints.map(store.claim));
    for (const [step, status] of (['queued', 'sent', 'delivered'] as const).entries()) {
      const changes = claimed.map((message): Change => {
        if (message === null) throw new Error('Another process claimed a message.');
        const { id, workspaceId, version } = message;
        const { resends, lookups, from, errorCode, errorDetail } = message;
        const next: DispatchFields = {
          dispatch: 'accepted',
          status,
          providerStatus: status,
          providerSid: `SM${id.replaceAll('-', '')}`,
          providerId: message.providerId,
          vendorAccountId: 'AC0123456789abcdef0123456789abcdef',
          sidAdopted: false,
          resends,
          provedResends: message.provedResends,
          failedAccounts: message.failedAccounts,
          lookups,
          from,
          errorCode,
          errorDetail,
          errorStatus: null,
        };
        return {
          id,
          workspaceId,
          expectedVersion: version + step,
          next,
          notBeforeInMs: null,
          dueInMs: status === 'delivered' ? null : 60_000,
          event: { type: 'status_changed', detail: null, visible: true },
          optsOut: false,
        };
      });
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
        cpuMicroseconds: ((readCpuSeconds(pid) - cpu) * 1e6) / messages,
        statementMicroseconds: ((performance.now() - at) * 1000) / messages,
      };
    },
    close: () => database.close(),
  };
}
