import type { Message } from '@switchboard/contracts';
import { type LineState, openEventSocket } from './event-socket.ts';
import { newerOf } from './newer-of.ts';

/** What has happened in a workspace within a moment: each message once, as it is now. */
export interface LiveBatch {
  /** In the order of their creation. */
  created: Message[];
  /** All that changed, the created ones included. */
  messages: ReadonlyMap<string, Message>;
}

export interface LiveFeed {
  subscribe(listener: (batch: LiveBatch) => void): () => void;
  getState(): LineState;
  onState(listener: () => void): () => void;
  /** What was fetched, or what has been told of it since. */
  freshest(message: Message): Message;
  /** A moment, for `createdSince`. */
  mark(): number;
  /** What has been created since, as it is now: an answer that was under way may lack it. */
  createdSince(mark: number): Message[];
  close(): void;
}

/** Hundreds of flips a second are drawn in ten strokes. */
const FLUSH_MS = 100;
/** How many messages are remembered against answers that were under way. */
const REMEMBERED = 1_000;

export function createLiveFeed(options: {
  path: string;
  token: string;
  onResync(): void;
  onEnded(): void;
}): LiveFeed {
  const listeners = new Set<(batch: LiveBatch) => void>();
  const stateListeners = new Set<() => void>();
  const seen = new Map<string, Message>();
  let state: LineState = { kind: 'connecting' };
  let changed = new Map<string, Message>();
  let created = new Set<string>();
  /** The ids of the last messages created, and how many came before them. */
  const births: string[] = [];
  let forgotten = 0;
  let flushing: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    flushing = undefined;
    const batch: LiveBatch = {
      messages: changed,
      created: [...created].flatMap((id) => changed.get(id) ?? []),
    };
    changed = new Map();
    created = new Set();
    for (const listener of listeners) listener(batch);
  }

  const socket = openEventSocket({
    ...options,
    onEvent({ type, message }) {
      changed.set(message.id, message);
      if (type === 'message.created') {
        created.add(message.id);
        births.push(message.id);
        if (births.length > REMEMBERED) {
          births.shift();
          forgotten += 1;
        }
      }
      // Set anew to be the youngest of the map.
      seen.delete(message.id);
      seen.set(message.id, message);
      if (seen.size > REMEMBERED) {
        for (const oldest of seen.keys()) {
          seen.delete(oldest);
          break;
        }
      }
      flushing ??= setTimeout(flush, FLUSH_MS);
    },
    onState(next) {
      state = next;
      for (const listener of stateListeners) listener();
    },
  });

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getState: () => state,
    onState(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    freshest(message) {
      const told = seen.get(message.id);
      return told === undefined ? message : newerOf(message, told);
    },
    mark: () => forgotten + births.length,
    createdSince: (mark) =>
      births.slice(Math.max(0, mark - forgotten)).flatMap((id) => seen.get(id) ?? []),
    close() {
      clearTimeout(flushing);
      socket.close();
    },
  };
}
