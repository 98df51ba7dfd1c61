import { randomUUID } from 'node:crypto';
import {
  type BusNotification,
  type EventBus,
  GATHER_WHEN_BUSY,
  createBackgroundBatch,
  createBatch,
  withinTime,
} from '@switchboard/core';

import { DEFAULT_SCHEMA, parsePostgresUrl } from '@switchboard/postgres';
import { isSentBy, packNotifications, unpackNotifications } from './pack-notifications.ts';
import { createPostgresTransport } from './postgres/postgres-transport.ts';
import { createRedisTransport } from './redis/redis-transport.ts';

export interface EventBusOptions {
  /** The Redis to use. Null selects the PostgreSQL database. */
  redisUrl: string | null;
  databaseUrl: string;
  /** The timeout of each call, and of heartbeats on an idle connection. */
  timeoutMs: number;
  /** Called with background errors, for the log. The bus recovers without help. */
  onError(error: Error): void;
  /** At most 63 bytes. Processes with the same channel exchange notifications. */
  channel?: string;
}

/** The maximum number of calls in one round trip, and of calls that wait. */
const MAX_BATCH = 1_000;
const MAX_WAITING = 20_000;

/** Creates the bus. It connects in the background, so that creation never fails or waits. */
export function createEventBus(options: EventBusOptions): EventBus {
  const { redisUrl, databaseUrl, timeoutMs, onError } = options;
  const channel = options.channel ?? toChannel(databaseUrl);
  const sender = randomUUID();
  const listeners = new Set<(notification: BusNotification) => void>();
  const gapListeners = new Set<() => void>();

  /** Calls all listeners, even if one of them throws. */
  function notify<T extends unknown[]>(all: Iterable<(...args: T) => void>, ...args: T): void {
    for (const listener of all) {
      try {
        listener(...args);
      } catch (error) {
        onError(toError(error));
      }
    }
  }

  function receive(payload: string): void {
    // The notifications of this process have been delivered locally.
    if (listeners.size === 0 || isSentBy(sender, payload)) return;
    let notifications: BusNotification[];
    try {
      notifications = unpackNotifications(payload);
    } catch (error) {
      onError(toError(error));
      return;
    }
    for (const notification of notifications) notify(listeners, notification);
  }

  const handlers = {
    channel,
    timeoutMs,
    onError,
    onPayload: receive,
    onSubscribed: () => notify(gapListeners),
  };
  const transport =
    redisUrl === null
      ? createPostgresTransport({ ...handlers, databaseUrl })
      : createRedisTransport({ ...handlers, redisUrl });

  // One round trip at a time keeps the order, and batches the calls of a busy process.
  const limits = { maxSize: MAX_BATCH, maxWaiting: MAX_WAITING, concurrency: 1 };
  const send = createBatch<readonly BusNotification[], void>({
    ...limits,
    async run(calls) {
      await transmit(calls.flat());
      return calls.map(() => undefined);
    },
  });
  const sendLater = createBackgroundBatch<BusNotification>({
    ...limits,
    gather: GATHER_WHEN_BUSY,
    async run(notifications) {
      await transmit(notifications);
      finish(notifications.length);
    },
    onFailed(error, notifications) {
      onError(toError(error));
      finish(notifications.length);
    },
  });
  /** Notifications of `publishLater` that have been neither sent nor reported as failed. */
  let pending = 0;
  let onFlushed = (): void => undefined;

  function finish(count: number): void {
    pending -= count;
    if (pending === 0) onFlushed();
  }

  async function transmit(notifications: readonly BusNotification[]): Promise<void> {
    await withinTime(
      transport.send(packNotifications(sender, notifications)),
      timeoutMs,
      'publishing',
    );
  }

  async function closeAll(): Promise<void> {
    if (pending > 0) await new Promise<void>((resolve) => (onFlushed = resolve));
    // A server that hangs may not close the connections in time; they end with the process.
    await withinTime(transport.close(), timeoutMs, 'closing the bus').catch(onError);
  }

  let closed: Promise<void> | null = null;

  return {
    async publish(notifications) {
      if (notifications.length === 0) return;
      for (const notification of notifications) notify(listeners, notification);
      await withinTime(send(notifications), timeoutMs, 'publishing');
    },
    publishLater(notification) {
      notify(listeners, notification);
      pending += 1;
      sendLater(notification);
    },
    subscribe(listener) {
      // Wrapped, so that the same function may subscribe twice.
      const entry = (notification: BusNotification) => listener(notification);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    onGap(listener) {
      const entry = () => listener();
      gapListeners.add(entry);
      return () => void gapListeners.delete(entry);
    },
    ping: () => withinTime(transport.ping(), timeoutMs, 'pinging the bus'),
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}

/** Each installation in a database has its own channel. */
function toChannel(databaseUrl: string): string {
  const { schema } = parsePostgresUrl(databaseUrl);
  return schema === DEFAULT_SCHEMA ? 'switchboard_events' : `${schema}_events`;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
