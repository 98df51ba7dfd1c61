import { randomUUID } from 'node:crypto';
import {
  type BusNotice,
  type EventBus,
  GATHER_WHEN_BUSY,
  createBackgroundBatch,
  createBatch,
  withinTime,
} from '@switchboard/core';

import { isSentBy, packNotices, unpackNotices } from './pack-notices.ts';
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
const MAX_WAITING = 20_000;

/** Never fails and never waits: connecting goes on in the background. */
export function createEventBus(options: EventBusOptions): EventBus {
  const { redisUrl, databaseUrl, channel = DEFAULT_CHANNEL, timeoutMs, onError } = options;
  const sender = randomUUID();
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
    // A worker only tells: taking apart what it hears would be for nothing. So would what is ours.
    if (listeners.size === 0 || isSentBy(sender, payload)) return;
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

  // Of either kind one round trip at a time: it keeps the order, and a busy process pays for few.
  const limits = { maxSize: MAX_BATCH, maxWaiting: MAX_WAITING, concurrency: 1 };
  const send = createBatch<readonly BusNotice[], void>({
    ...limits,
    async run(calls) {
      await transmit(calls.flat());
      return calls.map(() => undefined);
    },
  });
  const sendLater = createBackgroundBatch<BusNotice>({
    ...limits,
    gather: GATHER_WHEN_BUSY,
    async run(notices) {
      await transmit(notices);
      settle(notices.length);
    },
    onFailed(error, notices) {
      onError(toError(error));
      settle(notices.length);
    },
  });
  /** Given to `publishLater`, and neither sent nor reported yet. */
  let unsettled = 0;
  let onSettled = (): void => undefined;

  function settle(count: number): void {
    unsettled -= count;
    if (unsettled === 0) onSettled();
  }

  async function transmit(notices: readonly BusNotice[]): Promise<void> {
    await withinTime(transport.send(packNotices(sender, notices)), timeoutMs, 'publishing');
  }

  async function closeAll(): Promise<void> {
    if (unsettled > 0) await new Promise<void>((resolve) => (onSettled = resolve));
    // A server that hangs may take no leave; what is left of its connections ends with it.
    await withinTime(transport.close(), timeoutMs, 'closing the bus').catch(onError);
  }

  let closed: Promise<void> | null = null;

  return {
    async publish(notices) {
      if (notices.length === 0) return;
      for (const notice of notices) tell(listeners, notice);
      await withinTime(send(notices), timeoutMs, 'publishing');
    },
    publishLater(notice) {
      tell(listeners, notice);
      unsettled += 1;
      sendLater(notice);
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
      closed ??= closeAll();
      return closed;
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
