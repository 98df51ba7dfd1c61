import { randomUUID } from 'node:crypto';
import {
  type BusNotification,
  type EventBus,
  type EventPosition,
  MAX_HOLD_MS,
  createBatch,
  toSeqs,
} from '@switchboard/core';
import {
  type BatchClaim,
  type EventPage,
  type FinishedBatch,
  type MessageEventStore,
  type WebhookOutboxStore,
} from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import { createActiveSends } from './active-sends.ts';
import { createAdvanceEndpoint } from './advance-endpoint.ts';
import { DELIVERY_SLOTS } from './delivery-slots.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import { createRecordHealth } from './record-health.ts';
import { createRetryDeliveries } from './retry-deliveries.ts';
import { type SendEventDependencies, createSendEvent } from './send-event.ts';
import { createFairSlots } from '../fair-slots.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface WebhooksDependencies extends Pick<
  SendEventDependencies,
  'poster' | 'secretBox' | 'clock'
> {
  store: WebhookOutboxStore;
  events: Pick<MessageEventStore, 'read'>;
  bus: Pick<EventBus, 'subscribe' | 'onGap'>;
  timeoutMs: number;
  /** The pauses between the attempts of a delivery. */
  retryDelaysMs: readonly number[];
  metrics: WorkerMetrics;
  logger: Logger;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

const PAGE_SIZE = 200;
/** For how long after a claim the worker may start attempts. */
const START_MS = 3_000;
/** The time for writing the results, after the last attempt has timed out. */
const WRITE_MS = 2_000;
const LIMITS = { maxSize: 100, concurrency: 2, maxWaiting: 20_000 };

/** Creates the part of the worker that delivers events to the webhook endpoints of workspaces. */
export function createWebhooks(dependencies: WebhooksDependencies) {
  const { store, events, bus, timeoutMs, retryDelaysMs, metrics, logger, clock } = dependencies;
  const owner = randomUUID();
  const leaseMs = START_MS + timeoutMs + WRITE_MS;
  const activeSends = createActiveSends(store);
  const slots = createFairSlots(DELIVERY_SLOTS);
  const sendEvent = createSendEvent(dependencies);
  const recordHealth = createRecordHealth({
    store,
    onDisabled: (workspaceId) => pool.wake(workspaceId),
    // A new event must not be attempted later than a retry.
    maxHoldMs: Math.min(MAX_HOLD_MS, Math.max(...retryDelaysMs)),
    metrics,
    logger,
  });
  const retries = createRetryDeliveries({
    store,
    sendEvent,
    recordHealth,
    activeSends,
    slots,
    leaseMs,
    startMs: START_MS,
    retryDelaysMs,
    logger,
  });

  // Batches the statements of several endpoints.
  const claim = createBatch<BatchClaim, number | undefined>({
    ...LIMITS,
    async run(claims) {
      const numbers = await store.claim(owner, leaseMs, claims);
      return claims.map(({ endpointId }) => numbers.get(endpointId));
    },
  });
  const finish = createBatch<FinishedBatch, void>({
    ...LIMITS,
    async run(batches) {
      await store.finish(batches);
      return batches.map(() => undefined);
    },
  });
  const readPage = createBatch<
    { workspaceId: string; after: EventPosition },
    EventPage | undefined
  >({
    ...LIMITS,
    run: (feeds) => readPages(events, feeds),
  });

  const pool = createEndpointPool({
    lease: (query) => store.lease({ owner, leaseMs, ...query }),
    advance: createAdvanceEndpoint({
      store,
      readPage: (workspaceId, after) => readPage({ workspaceId, after }),
      claim,
      finish,
      sendEvent,
      recordHealth,
      activeSends,
      slots,
      onDue: retries.start,
      metrics,
      now: clock.now,
      startMs: START_MS,
      retryDelaysMs,
      logger,
    }),
    logger,
  });

  async function check(): Promise<void> {
    await activeSends.check();
  }

  function onNotification(notification: BusNotification): void {
    if (notification.kind === 'message') pool.wake(notification.workspaceId);
    if (notification.kind === 'webhooks_changed') {
      pool.add(notification.workspaceId);
      retries.start();
      check().catch((error: unknown) =>
        logger.warn({ err: error }, 'failed to check webhook endpoints'),
      );
    }
  }

  let unsubscribe = (): void => undefined;

  return {
    start(): void {
      unsubscribe = bus.subscribe(onNotification);
    },
    /** Finds events whose notifications were lost, and deliveries that are due. */
    async poll(): Promise<void> {
      await check();
      const workspaceIds = await store.listWorkspaces();
      await pool.poll(workspaceIds);
      if (workspaceIds.length > 0) retries.start();
    },
    /** Finishes the attempts in flight, and lets other workers continue. */
    async stop(): Promise<void> {
      unsubscribe();
      activeSends.stopAll();
      await Promise.all([pool.stop(), retries.stop()]);
      try {
        await store.release(owner);
      } catch (error) {
        // The leases expire.
        logger.warn({ err: error }, 'failed to release webhook endpoints');
      }
    },
  };
}

/** Reads pages of several feeds. One statement reads a workspace once, at one position. */
async function readPages(
  events: Pick<MessageEventStore, 'read'>,
  feeds: readonly { workspaceId: string; after: EventPosition }[],
): Promise<(EventPage | undefined)[]> {
  const rounds: { workspaceId: string; after: EventPosition; key: string; indexes: number[] }[][] =
    [];
  feeds.forEach((feed, index) => {
    const key = toSeqs(feed.after).join();
    for (const round of rounds) {
      const same = round.find(({ workspaceId }) => workspaceId === feed.workspaceId);
      if (same === undefined) return void round.push({ ...feed, key, indexes: [index] });
      if (same.key === key) return void same.indexes.push(index);
    }
    return void rounds.push([{ ...feed, key, indexes: [index] }]);
  });
  const pages: (EventPage | undefined)[] = feeds.map(() => undefined);
  for (const round of rounds) {
    const found = await events.read(round, PAGE_SIZE);
    for (const { workspaceId, indexes } of round) {
      for (const index of indexes) pages[index] = found.get(workspaceId);
    }
  }
  return pages;
}
