import type { ClientFrame, InboxFrame, Message } from '@switchboard/contracts';
import { type ConnectionState, openEventSocket } from './event-socket.ts';
import { newerOf } from './newer-of.ts';

/** The changes in a workspace since the last batch: each message once, in its latest state. */
export interface LiveBatch {
  /** New messages in the order of their creation. */
  created: Message[];
  /** All changed messages by id, including new ones. */
  messages: ReadonlyMap<string, Message>;
}

/** The conversation that the user has open, and whether the user is typing a reply to it. */
export type Viewing = Omit<ClientFrame, 'type'>;

export interface LiveFeed {
  subscribe(listener: (batch: LiveBatch) => void): () => void;
  subscribeInbox(listener: (frame: InboxFrame) => void): () => void;
  /** Reports the open conversation to the server, and its number again after a reconnect. */
  setViewing(viewing: Viewing): void;
  getState(): ConnectionState;
  onState(listener: () => void): () => void;
  /** Adds a message that this page has created, unless its event has arrived. */
  add(message: Message): void;
  /** Returns a fetched message, or its newer state from the feed. */
  latestOf(message: Message): Message;
  /** Returns a position in the feed, for `createdSince`. */
  mark(): number;
  /** Returns the messages created since the mark. The response of a request in flight may lack them. */
  createdSince(mark: number): Message[];
  close(): void;
}

/** Batches hundreds of status changes a second into ten renders a second. */
const FLUSH_MS = 100;
/** How many messages are kept to complete the responses of requests in flight. */
const MAX_KEPT = 1_000;

export function createLiveFeed(options: {
  path: string;
  token: string;
  onResync(): void;
  onResumed(): void;
  onEnded(): void;
}): LiveFeed {
  const listeners = new Set<(batch: LiveBatch) => void>();
  const inboxListeners = new Set<(frame: InboxFrame) => void>();
  const stateListeners = new Set<() => void>();
  const latest = new Map<string, Message>();
  let viewedNumber: string | null = null;
  let state: ConnectionState = { kind: 'connecting' };
  let changed = new Map<string, Message>();
  let created = new Set<string>();
  /** The ids of the most recently created messages. */
  const createdIds: string[] = [];
  /** How many ids have been removed from the start of `createdIds`. */
  let removedCount = 0;
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

  function receive(isNew: boolean, message: Message): void {
    const known = latest.get(message.id);
    const merged = known === undefined ? message : newerOf(known, message);
    changed.set(message.id, merged);
    // A message that this page has created was added before its event.
    if (isNew && known === undefined) {
      created.add(message.id);
      createdIds.push(message.id);
      if (createdIds.length > MAX_KEPT) {
        createdIds.shift();
        removedCount += 1;
      }
    }
    // Deleted first, so that the message moves to the end of the map.
    latest.delete(message.id);
    latest.set(message.id, merged);
    if (latest.size > MAX_KEPT) {
      for (const oldest of latest.keys()) {
        latest.delete(oldest);
        break;
      }
    }
    flushing ??= setTimeout(flush, FLUSH_MS);
  }

  const sendViewing = (viewing: Viewing): void =>
    socket.send({ type: 'conversation.viewing', ...viewing });

  const socket = openEventSocket({
    ...options,
    onEvent: ({ type, message }) => receive(type === 'message.created', message),
    onInbox(frame) {
      for (const listener of inboxListeners) listener(frame);
    },
    onState(next) {
      state = next;
      if (state.kind === 'live' && viewedNumber !== null) {
        sendViewing({ number: viewedNumber, typing: false });
      }
      for (const listener of stateListeners) listener();
    },
  });

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribeInbox(listener) {
      inboxListeners.add(listener);
      return () => inboxListeners.delete(listener);
    },
    setViewing(viewing) {
      viewedNumber = viewing.number;
      sendViewing(viewing);
    },
    getState: () => state,
    onState(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    add(message) {
      if (!latest.has(message.id)) receive(true, message);
    },
    latestOf(message) {
      const received = latest.get(message.id);
      return received === undefined ? message : newerOf(message, received);
    },
    mark: () => removedCount + createdIds.length,
    createdSince: (mark) =>
      createdIds.slice(Math.max(0, mark - removedCount)).flatMap((id) => latest.get(id) ?? []),
    close() {
      clearTimeout(flushing);
      socket.close();
    },
  };
}
