import { WEBHOOK_HISTORY_DAYS } from '@switchboard/core';
import type { Database } from '../database.ts';
import { runStatement } from '../run-statement.ts';
import * as deliveries from './due-deliveries.ts';
import { disableEndpoint, recordHealth } from './endpoint-health.ts';
import { finishBatches } from './finish-batches.ts';
import { numberOtherEvents } from './number-other-events.ts';
import { readNumberedEvents } from './read-numbered-events.ts';
import type { EndpointKey } from './webhook-endpoint.ts';
import * as outbox from './webhook-outbox.ts';

export type WebhookOutboxStore = ReturnType<typeof createWebhookOutboxStore>;

/** Creates the store from which workers deliver events to webhook endpoints. */
export function createWebhookOutboxStore(database: Pick<Database, 'pool' | 'prisma'>) {
  const { pool } = database;
  return {
    lease: (query: Parameters<typeof outbox.leaseEndpoints>[1]) =>
      outbox.leaseEndpoints(pool, query),
    claim: (owner: string, leaseMs: number, claims: readonly outbox.BatchClaim[]) =>
      outbox.claimBatches(pool, owner, leaseMs, claims),
    release: (owner: string) => outbox.releaseEndpoints(pool, owner),
    listUnchanged: (endpoints: Parameters<typeof outbox.listUnchanged>[1]) =>
      outbox.listUnchanged(pool, endpoints),
    listWorkspaces: () => outbox.listWebhookWorkspaces(pool),
    numberOtherEvents: (endpoint: EndpointKey) => numberOtherEvents(pool, endpoint),
    readNumbered: (events: Parameters<typeof readNumberedEvents>[1]) =>
      readNumberedEvents(pool, events),
    finish: (batches: Parameters<typeof finishBatches>[1]) => finishBatches(pool, batches),
    takeDue: (query: Parameters<typeof deliveries.takeDueDeliveries>[1]) =>
      deliveries.takeDueDeliveries(pool, query),
    recordAttempts: (results: readonly deliveries.AttemptResult[]) =>
      deliveries.recordAttempts(pool, results),
    recordHealth: (results: Parameters<typeof recordHealth>[1]) => recordHealth(database, results),
    disable: (...args: DisableArguments) => disableEndpoint(database, ...args),

    /** Deletes the history of deliveries that is older than its retention time. */
    async deleteExpired(limit: number): Promise<number> {
      const horizon = `now() - interval '${WEBHOOK_HISTORY_DAYS} days'`;
      const deleted = await runStatement(
        pool,
        `WITH batches AS (
           DELETE FROM webhook_batches WHERE (workspace_id, endpoint_id, first_sequence) IN (
             SELECT workspace_id, endpoint_id, first_sequence FROM webhook_batches
             WHERE claimed_at < ${horizon} AND finished_at IS NOT NULL LIMIT $1::int
             FOR UPDATE SKIP LOCKED)
           RETURNING 1
         ),
         rows AS (
           DELETE FROM webhook_deliveries WHERE (workspace_id, endpoint_id, sequence) IN (
             SELECT workspace_id, endpoint_id, sequence FROM webhook_deliveries
             WHERE created_at < ${horizon} AND status <> 'pending' LIMIT $1::int
             FOR UPDATE SKIP LOCKED)
           RETURNING 1
         )
         SELECT 1 FROM batches UNION ALL SELECT 1 FROM rows`,
        [Math.ceil(limit / 2)],
      );
      return deleted.length;
    },
  };
}

type DisableArguments = [
  endpoint: Parameters<typeof disableEndpoint>[1],
  reason: Parameters<typeof disableEndpoint>[2],
];
