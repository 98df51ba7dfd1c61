import { toMessage } from '@switchboard/contracts';
import {
  type EventPosition,
  advance,
  countBetween,
  decideRetry,
  isDelivered,
  positionOf,
  toSeqs,
  receivesType,
  webhookTypeOf,
} from '@switchboard/core';
import type {
  BatchClaim,
  EventPage,
  FinishedBatch,
  LeasedEndpoint,
  NumberedEvent,
  WebhookOutboxStore,
} from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { FairSlots } from '../fair-slots.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import type { ActiveSends } from './active-sends.ts';
import { pathOf } from './delivery-slots.ts';
import type { RecordHealth } from './record-health.ts';
import { sendAll } from './send-all.ts';
import type { OutgoingEvent, SendEvent, SentEvent } from './send-event.ts';

export interface AdvanceDependencies {
  store: Pick<WebhookOutboxStore, 'numberOtherEvents' | 'readNumbered'>;
  readPage(workspaceId: string, after: EventPosition): Promise<EventPage | undefined>;
  claim(claim: BatchClaim): Promise<number | undefined>;
  finish(batch: FinishedBatch): Promise<void>;
  sendEvent: SendEvent;
  recordHealth: RecordHealth;
  activeSends: ActiveSends;
  slots: FairSlots;
  /** Called when the endpoint has deliveries that are due. */
  onDue(): void;
  metrics: Pick<WorkerMetrics, 'webhookDelay'>;
  now(): number;
  /** For how long after a claim the worker may start attempts. The lease lasts longer. */
  startMs: number;
  /** The pauses between the attempts of a delivery. */
  retryDelaysMs: readonly number[];
  logger: Logger;
}

const BATCH_SIZE = 100;
export const ENDPOINT_CONCURRENCY = 16;
/** A delivery of a failing endpoint that was not attempted is due after this time. */
const UNSENT_DELAY_MS = 1_000;

/**
 * Creates the function that delivers the next events of a leased endpoint until none are left.
 * Returns false if the endpoint must be leased again first, because it fails, was changed, or is
 * leased by another worker.
 */
export function createAdvanceEndpoint(dependencies: AdvanceDependencies) {
  const { store, sendEvent, recordHealth, activeSends } = dependencies;

  async function deliver(
    endpoint: LeasedEndpoint,
    firstSequence: number,
    events: readonly NumberedEvent[],
    startedAt: number,
  ): Promise<boolean> {
    const outgoing = events.map((event, index) => toOutgoing(event, firstSequence + index));
    const active = activeSends.begin(endpoint);
    let results: (SentEvent | null)[];
    try {
      results = await sendAll({
        events: outgoing,
        concurrency: endpoint.failures > 0 ? 1 : ENDPOINT_CONCURRENCY,
        takeSlot: (mayWait) =>
          dependencies.slots.take(pathOf(endpoint), mayWait ? startedAt + dependencies.startMs : 0),
        send(event) {
          dependencies.metrics.webhookDelay.observe(
            Math.max(0, dependencies.now() - event.at.getTime()) / 1_000,
          );
          return sendEvent(endpoint, event);
        },
        mayStart: () => !active.isStopped() && performance.now() - startedAt < dependencies.startMs,
      });
    } finally {
      active.end();
    }
    await dependencies.finish(
      toFinished(
        { endpoint, firstSequence, delaysMs: dependencies.retryDelaysMs },
        events,
        results,
      ),
    );
    if (results.some((result) => result === null || !isDelivered(result.outcome)))
      dependencies.onDue();
    const { mayContinue } = await recordHealth(endpoint, results);
    return mayContinue && !active.isStopped();
  }

  async function deliverOpenBatch(endpoint: LeasedEndpoint, startedAt: number): Promise<boolean> {
    const { openBatch, workspaceId, id } = endpoint;
    if (openBatch === null) return true;
    endpoint.openBatch = null;
    const found = await store.readNumbered(openBatch.events.map((seq) => ({ workspaceId, seq })));
    const bySeq = new Map(found.map((event) => [event.seq, event]));
    const events = openBatch.events.map((seq) => bySeq.get(seq));
    const present = events.filter((event) => event !== undefined);
    if (present.length < events.length) {
      // Retention keeps the events of open batches, so an operator must find the cause.
      dependencies.logger.error(
        { endpoint_id: id, workspace_id: workspaceId },
        'webhook events were deleted',
      );
      return false;
    }
    return deliver(endpoint, openBatch.firstSequence, present, startedAt);
  }

  return async function advanceEndpoint(
    endpoint: LeasedEndpoint,
    leasedAt: number,
    takeNotifications: () => boolean,
  ): Promise<boolean> {
    if (endpoint.hasOtherEvents) {
      endpoint.hasOtherEvents = false;
      await store.numberOtherEvents(toKey(endpoint));
      dependencies.onDue();
    }
    if (!(await deliverOpenBatch(endpoint, leasedAt))) return false;
    for (;;) {
      takeNotifications();
      const from = endpoint.position;
      const after = positionOf(from);
      const page = await dependencies.readPage(endpoint.workspaceId, after);
      if (page === undefined) {
        if (takeNotifications()) continue;
        return true;
      }
      const batch = cutBatch(endpoint, after, page);
      const claimedAt = performance.now();
      const firstSequence = await dependencies.claim({
        ...toKey(endpoint),
        revision: endpoint.revision,
        from,
        to: batch.to,
        events: batch.events.map(({ seq }) => seq),
        skipped: page.hasGap ? countBetween(after, page.position) : 0,
      });
      if (firstSequence === undefined) return false;
      endpoint.position = batch.to;
      if (batch.events.length > 0) {
        if (!(await deliver(endpoint, firstSequence, batch.events, claimedAt))) return false;
      }
      if (batch.isWhole && page.isLast && !takeNotifications()) return true;
    }
  };
}

/** Takes the first events that the endpoint receives from a page. */
function cutBatch({ eventTypes, failures }: LeasedEndpoint, after: EventPosition, page: EventPage) {
  const size = failures > 0 ? 1 : BATCH_SIZE;
  const events: NumberedEvent[] = [];
  let position = after;
  for (const event of page.events) {
    if (events.length === size) return { events, to: toSeqs(position), isWhole: false };
    position = advance(position, event.seq);
    if (receivesType(eventTypes, webhookTypeOf(event.type))) events.push(event);
  }
  return { events, to: toSeqs(page.position), isWhole: true };
}

function toOutgoing({ eventId, type, message }: NumberedEvent, sequence: number): OutgoingEvent {
  return {
    id: eventId,
    type: webhookTypeOf(type),
    at: message.updatedAt,
    sequence,
    data: toMessage(message),
    messageId: message.id,
  };
}

function toKey({ workspaceId, id: endpointId }: LeasedEndpoint) {
  return { workspaceId, endpointId };
}

function toFinished(
  batch: { endpoint: LeasedEndpoint; firstSequence: number; delaysMs: readonly number[] },
  events: readonly NumberedEvent[],
  results: readonly (SentEvent | null)[],
): FinishedBatch {
  const { endpoint, firstSequence, delaysMs } = batch;
  const delivered = results.map((result) =>
    result !== null && isDelivered(result.outcome) ? result.attempt : null,
  );
  return {
    ...toKey(endpoint),
    firstSequence,
    statuses: delivered.map((attempt) => attempt?.status_code ?? 0),
    durationsMs: delivered.map((attempt) => attempt?.duration_ms ?? 0),
    undelivered: events.flatMap((event, index) => {
      if (delivered[index] !== null) return [];
      const result = results[index] ?? null;
      const retry =
        result === null
          ? { delayMs: UNSENT_DELAY_MS }
          : decideRetry(result.outcome, { delaysMs, tries: 1, random: Math.random() });
      return {
        sequence: firstSequence + index,
        eventSeq: event.seq,
        eventId: event.eventId,
        eventType: webhookTypeOf(event.type),
        messageId: event.message.id,
        eventAt: event.message.updatedAt.toISOString(),
        attempts: result === null ? [] : [result.attempt],
        delayMs: retry?.delayMs ?? null,
      };
    }),
  };
}
