import { WEBHOOK_SECRET_FIELD, type WebhookEventType, createUuidV7 } from '@switchboard/core';
import { createWebhookSecret } from '@switchboard/credentials';
import {
  createWebhookDeliveryStore,
  createWebhookEndpointStore,
  createWebhookOutboxStore,
} from '@switchboard/database';
import { createSecretBox } from '@switchboard/runtime';
import { TEST_SECRET_KEY } from '@switchboard/testing';
import { onTestFinished } from 'vitest';
import { LONG_TIMEOUTS, startEnvironment } from '../start-environment.ts';
import { type Receiver, startReceiver } from './start-receiver.ts';

const OPERATOR = { kind: 'operator', ip: null } as const;
const RECIPIENT = '+14155550100';

export type WebhookEnvironment = Awaited<ReturnType<typeof startWebhookEnvironment>>;

/** Starts what sending needs, without a worker, and adds endpoints that post to receivers. */
export async function startWebhookEnvironment(
  atEnd: (end: () => Promise<void>) => void,
  targets: Record<string, string> = { WEBHOOK_ALLOW_LOOPBACK: 'true' },
) {
  const environment = await startEnvironment(
    { settings: { ...LONG_TIMEOUTS, ...targets, WEBHOOK_TIMEOUT_MS: '5000' } },
    atEnd,
  );
  const { database } = environment;
  const endpoints = createWebhookEndpointStore(database);
  const deliveries = createWebhookDeliveryStore(database);
  const box = createSecretBox(TEST_SECRET_KEY);
  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    database.pool.query<Row & Record<string, unknown>>(text, values).then(({ rows }) => rows);

  const sealWebhookSecret = (workspaceId: string, secret: string) =>
    box.seal(secret, { workspaceId, field: WEBHOOK_SECRET_FIELD });

  /** Adds an endpoint with a receiver of its own, unless one is given. */
  async function addEndpoint(
    workspaceId: string,
    options: { eventTypes?: WebhookEventType[]; receiver?: Receiver; url?: string } = {},
  ) {
    const receiver = options.receiver ?? (await startReceiver());
    if (options.receiver === undefined) onTestFinished(() => receiver.stop());
    const secret = createWebhookSecret();
    receiver.expectSecrets(secret);
    const id = createUuidV7(Date.now());
    await endpoints.create(
      workspaceId,
      {
        id,
        url: options.url ?? receiver.url,
        description: '',
        eventTypes: options.eventTypes ?? [],
        enabled: true,
        sealedSecret: sealWebhookSecret(workspaceId, secret),
        createdAt: new Date(),
      },
      OPERATOR,
    );
    return { id, key: { workspaceId, endpointId: id }, receiver, secret };
  }

  return {
    ...environment,
    endpoints,
    deliveries,
    outbox: createWebhookOutboxStore(database),
    sql,
    sealWebhookSecret,
    addEndpoint,
    /** Accepts messages without sending them: each has one visible event. */
    async acceptUnsent(workspaceId: string, count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false });
        ids.push(hint.messageId);
      }
      return ids;
    },
    /** Makes all pending deliveries due, and all endpoints ready for the next attempt. */
    async skipWaits(): Promise<void> {
      await sql(`UPDATE webhook_endpoints SET not_before = NULL WHERE not_before IS NOT NULL`);
      await sql(
        `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending' AND claim IS NULL`,
      );
    },
    async readEndpoint(id: string) {
      const [row] = await sql<{
        enabled: boolean;
        disabled_reason: string | null;
        failures: number;
        failing_since: Date | null;
        not_before: Date | null;
        next_sequence: number;
      }>('SELECT * FROM webhook_endpoints WHERE id = $1', [id]);
      if (row === undefined) throw new Error(`no endpoint has the id ${id}`);
      return row;
    },
  };
}
