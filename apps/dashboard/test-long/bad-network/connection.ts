import type { Socket } from 'node:net';

/** What happens to a connection. `down` is the direction to the browser. */
export const FAULTS = [
  'reset',
  'close',
  'freeze',
  'freeze-down',
  'freeze-up',
  'delay',
  'halve',
] as const;

export type Fault = (typeof FAULTS)[number];

export interface Connection {
  /** Whether it carries the event stream; false until the first bytes of the browser show it. */
  isEventStream: boolean;
  isFrozen(): boolean;
  suffer(fault: Fault, delayMs: number): void;
  /** Forwards again what a freeze has held back. */
  thaw(): void;
}

const EVENT_STREAM = /^GET \S+\/events\?/;

/** Forwards between two sockets, of which the upstream one may still be connecting. */
export function openConnection(
  client: Socket,
  upstream: Socket,
  onDelivered: (connection: Connection) => void,
): Connection {
  const up = openLane(client, upstream, (chunk) => {
    connection.isEventStream ||= EVENT_STREAM.test(chunk.toString('latin1'));
  });
  const down = openLane(upstream, client, undefined, () => onDelivered(connection));
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    // 'close' follows.
    one.on('error', () => undefined);
    one.on('close', () => other.destroy());
  }
  const connection: Connection = {
    isEventStream: false,
    isFrozen: () => up.isFrozen() || down.isFrozen(),
    suffer(fault, delayMs) {
      if (fault === 'reset') {
        client.resetAndDestroy();
        upstream.resetAndDestroy();
      }
      if (fault === 'close') {
        client.end();
        upstream.end();
      }
      if (fault === 'freeze' || fault === 'freeze-down') down.freeze();
      if (fault === 'freeze' || fault === 'freeze-up') up.freeze();
      if (fault === 'halve') down.halveNext();
      if (fault === 'delay') {
        up.delay(delayMs);
        down.delay(delayMs);
      }
    },
    thaw() {
      up.thaw();
      down.thaw();
    },
  };
  return connection;
}

/** Forwards one direction of a connection. */
function openLane(
  from: Socket,
  to: Socket,
  onRead?: (chunk: Buffer) => void,
  onDelivered?: () => void,
) {
  /** Null is the end. */
  const waiting: { chunk: Buffer | null; dueAt: number }[] = [];
  let delayMs = 0;
  let lastDueAt = 0;
  let isFrozen = false;
  let isHalved = false;
  let timer: NodeJS.Timeout | undefined;

  function add(chunk: Buffer | null): void {
    // Bytes of one connection never overtake each other. Those of two connections do.
    lastDueAt = Math.max(lastDueAt, Date.now() + delayMs);
    waiting.push({ chunk, dueAt: lastDueAt });
    pump();
  }

  function pump(): void {
    clearTimeout(timer);
    for (let next = waiting[0]; next !== undefined && !isFrozen; next = waiting[0]) {
      const waitMs = next.dueAt - Date.now();
      if (waitMs > 0) {
        timer = setTimeout(pump, waitMs);
        return;
      }
      waiting.shift();
      deliver(next.chunk);
    }
  }

  function deliver(chunk: Buffer | null): void {
    if (to.destroyed || to.writableEnded) return;
    if (chunk === null) {
      to.end();
      return;
    }
    if (isHalved) freeze();
    to.write(isHalved ? chunk.subarray(0, Math.ceil(chunk.length / 2)) : chunk);
    onDelivered?.();
  }

  function freeze(): void {
    isFrozen = true;
    from.pause();
  }

  from.on('data', (chunk: Buffer) => {
    onRead?.(chunk);
    add(chunk);
  });
  from.on('end', () => add(null));
  from.on('close', () => clearTimeout(timer));
  return {
    isFrozen: () => isFrozen,
    freeze,
    thaw() {
      // The other half is lost: bytes after it would be read as a part of it.
      if (isHalved) return;
      isFrozen = false;
      from.resume();
      pump();
    },
    delay(ms: number): void {
      delayMs = ms;
    },
    halveNext(): void {
      isHalved = true;
    },
  };
}
