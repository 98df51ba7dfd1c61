import { randomUUID } from 'node:crypto';
import { toMessage } from '@switchboard/contracts';
import { createBatch, decideRetry, isDelivered } from '@switchboard/core';
import type {
  AttemptResult,
  DueDelivery,
  NumberedEvent,
  WebhookOutboxStore,
} from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { FairSlots } from '../fair-slots.ts';
import type { ActiveSends } from './active-sends.ts';
import { ENDPOINT_CONCURRENCY } from './advance-endpoint.ts';
import { pathOf } from './delivery-slots.ts';
import type { RecordHealth } from './record-health.ts';
import { sendAll } from './send-all.ts';
import type { OutgoingEvent, SendEvent, SentEvent } from './send-event.ts';

export interface RetryDependencies {
  store: Pick<WebhookOutboxStore, 'takeDue' | 'readNumbered' | 'recordAttempts'>;
  sendEvent: SendEvent;
  recordHealth: RecordHealth;
  activeSends: ActiveSends;
  slots: FairSlots;
  leaseMs: number;
  startMs: number;
  retryDelaysMs: readonly number[];
  logger: Logger;
}

const PER_ENDPOINT = 100;
const MAX_TAKEN = 1_000;
/** Deliveries that were taken but not sent are due again after this time. */
const UNSENT_DELAY_MS = 1_000;

/** Creates the part that makes due deliveries: retries, replays and tests. */
export function createRetryDeliveries(dependencies: RetryDependencies) {
  const { store, sendEvent, recordHealth, activeSends, logger } = dependencies;
  /** One entry for each endpoint with deliveries in flight. */
  const inFlight = new Map<string, Promise<void>>();
  let isStopping = false;
  let isRunning = false;
  let isWanted = false;

  const record = createBatch<AttemptResult[], void>({
    maxSize: 50,
    concurrency: 2,
    maxWaiting: 10_000,
    async run(results) {
      await store.recordAttempts(results.flat());
      return results.map(() => undefined);
    },
  });

  async function take(): Promise<void> {
    const takenAt = performance.now();
    const due = await store.takeDue({
      claim: randomUUID(),
      leaseMs: dependencies.leaseMs,
      perEndpoint: PER_ENDPOINT,
      limit: MAX_TAKEN,
      except: [...inFlight.keys()],
    });
    if (due.length === 0) return;
    // Endpoints with many due deliveries must not delay those of others.
    if (due.length >= MAX_TAKEN) isWanted = true;
    const events = await readEvents(due);
    for (const [id, deliveries] of groupByEndpoint(due)) {
      const work = deliver(deliveries, events, takenAt)
        .catch((error: unknown) => {
          // The deliveries are due again when the lease ends.
          logger.warn({ err: error, endpoint_id: id }, 'failed to record webhook deliveries');
        })
        .finally(() => {
          inFlight.delete(id);
          // More deliveries of the endpoint may be due.
          if (deliveries.length > 1) start();
        });
      inFlight.set(id, work);
    }
  }

  async function readEvents(due: readonly DueDelivery[]): Promise<Map<string, NumberedEvent>> {
    const wanted = due.flatMap(({ workspaceId, eventSeq }) =>
      eventSeq === null ? [] : [{ workspaceId, seq: eventSeq }],
    );
    const found = wanted.length === 0 ? [] : await store.readNumbered(wanted);
    return new Map(found.map((event) => [event.eventId, event]));
  }

  async function deliver(
    deliveries: readonly DueDelivery[],
    events: ReadonlyMap<string, NumberedEvent>,
    takenAt: number,
  ): Promise<void> {
    const [target] = deliveries;
    if (target === undefined) return;
    const active = activeSends.begin(target);
    let results: (SentEvent | null)[];
    try {
      results = await sendAll({
        events: deliveries,
        concurrency: target.failures > 0 ? 1 : ENDPOINT_CONCURRENCY,
        takeSlot: (mayWait) =>
          dependencies.slots.take(pathOf(target), mayWait ? takenAt + dependencies.startMs : 0),
        send: (delivery) => send(delivery, events.get(delivery.eventId)),
        mayStart: () =>
          !isStopping && !active.isStopped() && performance.now() - takenAt < dependencies.startMs,
      });
    } finally {
      active.end();
    }
    await record(
      deliveries.map((delivery, index) =>
        toResult(delivery, results[index] ?? null, dependencies.retryDelaysMs),
      ),
    );
    await recordHealth(target, results);
  }

  async function send(delivery: DueDelivery, event: NumberedEvent | undefined): Promise<SentEvent> {
    if (delivery.eventSeq !== null && event === undefined) {
      // Retention keeps the events of pending deliveries.
      throw new Error(`the event ${delivery.eventId} of a pending delivery was deleted`);
    }
    const outgoing: OutgoingEvent = {
      id: delivery.eventId,
      type: delivery.eventType,
      at: delivery.eventAt,
      sequence: delivery.sequence,
      data: event === undefined ? delivery.data : toMessage(event.message),
      messageId: event?.message.id ?? null,
    };
    return sendEvent(delivery, outgoing);
  }

  /**
   * Takes due deliveries. If a run is in progress, that run takes deliveries once more at its end.
   */
  function start(): void {
    isWanted = true;
    if (isRunning || isStopping) return;
    isRunning = true;
    void run();
  }

  async function run(): Promise<void> {
    try {
      while (isWanted && !isStopping) {
        isWanted = false;
        await take();
      }
    } catch (error) {
      logger.warn({ err: error }, 'failed to read due webhook deliveries');
    } finally {
      isRunning = false;
    }
  }

  return {
    start,
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(inFlight.values());
    },
  };
}

function groupByEndpoint(due: readonly DueDelivery[]): Map<string, DueDelivery[]> {
  const groups = new Map<string, DueDelivery[]>();
  for (const delivery of due.toSorted((a, b) => a.sequence - b.sequence)) {
    const group = groups.get(delivery.id);
    if (group === undefined) groups.set(delivery.id, [delivery]);
    else group.push(delivery);
  }
  return groups;
}

function toResult(
  delivery: DueDelivery,
  result: SentEvent | null,
  delaysMs: readonly number[],
): AttemptResult {
  const { workspaceId, id: endpointId, sequence, claim, tries } = delivery;
  const common = { workspaceId, endpointId, sequence, claim };
  if (result === null) {
    return { ...common, status: 'pending', attempt: null, delayMs: UNSENT_DELAY_MS };
  }
  const { outcome, attempt } = result;
  if (isDelivered(outcome)) return { ...common, status: 'delivered', attempt, delayMs: null };
  const retry = decideRetry(outcome, { delaysMs, tries: tries + 1, random: Math.random() });
  const status = retry === null ? 'failed' : 'pending';
  return { ...common, status, attempt, delayMs: retry?.delayMs ?? null };
}
