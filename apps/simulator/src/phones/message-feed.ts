import type { Message } from '../messages/message.ts';

export interface Listener {
  /** The phones whose messages the listener receives. */
  numbers: ReadonlySet<string>;
  /** A message of one of the phones is new or has changed. */
  onMessage(message: Message): void;
  /** All messages have been deleted. */
  onClear(): void;
}

export type MessageFeed = ReturnType<typeof createMessageFeed>;

/** Passes new and changed messages to the listeners of their phone. */
export function createMessageFeed() {
  const listeners = new Set<Listener>();

  return {
    size: (): number => listeners.size,

    publish(message: Message): void {
      const number = phoneOf(message);
      for (const each of listeners) if (each.numbers.has(number)) each.onMessage(message);
    },

    clear(): void {
      for (const each of listeners) each.onClear();
    },

    /** Returns a function that removes the listener. */
    add(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns the number outside the service. */
export function phoneOf({ direction, to, from }: Message): string {
  return direction === 'inbound' ? (from ?? '') : to;
}
