import type { Message, MessageList } from '@switchboard/contracts';
import type { InfiniteData } from '@tanstack/react-query';
import { newerOf } from '../live/newer-of.ts';

/** One page of messages in each direction. */
export interface ThreadPage {
  received: MessageList;
  sent: MessageList;
}

export type ThreadPages = InfiniteData<ThreadPage, number>;

/**
 * Merges the two directions into one thread, oldest first. The thread begins where both directions
 * are completely loaded; older messages are left out, because messages between them may be missing.
 */
export function joinThread({ pages }: Pick<ThreadPages, 'pages'>): Message[] {
  const directions = [pages.map(({ received }) => received), pages.map(({ sent }) => sent)];
  const completeSince = directions
    .map((lists) =>
      lists.at(-1)?.pagination.hasNext === true ? (lists.at(-1)?.messages.at(-1)?.id ?? '') : '',
    )
    .reduce((latest, id) => (id > latest ? id : latest), '');
  const byId = new Map(
    directions
      .flat()
      .flatMap(({ messages }) => messages)
      .map((message) => [message.id, message]),
  );
  return [...byId.values()]
    .filter(({ id }) => id >= completeSince)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function hasOlder({ received, sent }: ThreadPage): boolean {
  return received.pagination.hasNext || sent.pagination.hasNext;
}

/** Adds new messages to the thread and updates changed ones. */
export function addToThread(thread: ThreadPages, messages: readonly Message[]): ThreadPages {
  const shown = new Set(joinThread(thread).map(({ id }) => id));
  const byId = new Map(messages.map((message) => [message.id, message]));
  const update = (list: MessageList): MessageList => ({
    ...list,
    messages: list.messages.map((message) => {
      const received = byId.get(message.id);
      return received === undefined ? message : newerOf(message, received);
    }),
  });
  const [first, ...others] = thread.pages.map(({ received, sent }) => ({
    received: update(received),
    sent: update(sent),
  }));
  if (first === undefined) return thread;
  for (const message of messages) {
    if (shown.has(message.id)) continue;
    const list = message.direction === 'inbound' ? first.received : first.sent;
    list.messages.unshift(message);
  }
  return { ...thread, pages: [first, ...others] };
}
