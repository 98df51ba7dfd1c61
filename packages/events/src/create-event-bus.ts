import { type BusNotice, createBatch, type EventBus, withinTime } from '@switchboard/core';

import { packNotices, unpackNotices } from './pack-notices.ts';
import { createPostgresTransport } from './postgres/postgres-transport.ts';
import { createRedisTransport } from './redis/redis-transport.ts';

export interface EventBusOptions {
  /** Decides the backend: this Redis, or, when null, the PostgreSQL database. */
  redisUrl: string | null;
  databaseUrl: string;
  /** Bound of every call, and how long a silent connection is taken for alive. */
  timeoutMs: number;
  /** Told of trouble in the background. The bus recovers by itself; this is for the log. */
  onError(error: Error): void;
  /** At most 63 bytes. Processes hear each other when theirs is the same. */
  channel?: string;
}

const DEFAULT_CHANNEL = 'switchboard_events';
/** Calls that share one round trip, and calls that may wait for theirs. */
const MAX_BATCH = 1_000;
const MAX_WAITING = 10_000;

/** Never fails and never waits: connecting goes on in the background. */
export function createEventBus(options: EventBusOptions): EventBus {
  const { redisUrl, databaseUrl, channel = DEFAULT_CHANNEL, timeoutMs, onError } = options;
  const listeners = new Set<(notice: BusNotice) => void>();
  const gapListeners = new Set<() => void>();

  /** One listener's failure is not another's. */
  function tell<T extends unknown[]>(all: Iterable<(...args: T) => void>, ...args: T): void {
    for (const listener of all) {
      try {
        listener(...args);
      } catch (error) {
        onError(toError(error));
      }
    }
  }

  function receive(payload: string): void {
    // A worker only tells: taking apart what it hears would be for nothing.
    if (listeners.size === 0) return;
    let notices: BusNotice[];
    try {
      notices = unpackNotices(payload);
    } catch (error) {
      onError(toError(error));
      return;
    }
    for (const notice of notices) tell(listeners, notice);
  }

  const handlers = {
    channel,
    timeoutMs,
    onError,
    onPayload: receive,
    onSubscribed: () => tell(gapListeners),
  };
  const transport =
    redisUrl === null
      ? createPostgresTransport({ ...handlers, databaseUrl })
      : createRedisTransport({ ...handlers, redisUrl });

  // One round trip at a time: it keeps the order, and a busy process pays for few of them.
  const send = createBatch<readonly BusNotice[], void>({
    maxSize: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    concurrency: 1,
    async run(calls) {
      await withinTime(transport.send(packNotices(calls.flat())), timeoutMs, 'publishing');
      return calls.map(() => undefined);
    },
  });

  let closed: Promise<void> | null = null;

  return {
    async publish(notices) {
      if (notices.length > 0) await withinTime(send(notices), timeoutMs, 'publishing');
    },
    subscribe(listener) {
      // Wrapped, so that the same function may subscribe twice.
      const entry = (notice: BusNotice) => listener(notice);
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
      // A server that hangs may take no leave; what is left of its connections ends with it.
      closed ??= withinTime(transport.close(), timeoutMs, 'closing the bus').catch(onError);
      return closed;
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
