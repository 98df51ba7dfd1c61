import type { Message, MessageList } from '@switchboard/contracts';
import type { InfiniteData } from '@tanstack/react-query';
import { newerOf } from '../live/newer-of.ts';

/** A page of each of the two directions. */
export interface ThreadPage {
  received: MessageList;
  sent: MessageList;
}

export type ThreadPages = InfiniteData<ThreadPage, number>;

/**
 * The two directions as one thread, oldest first. A direction of which older messages are still to
 * be loaded sets how far back the thread is whole; what lies before that is kept back.
 */
export function joinThread({ pages }: Pick<ThreadPages, 'pages'>): Message[] {
  const directions = [pages.map(({ received }) => received), pages.map(({ sent }) => sent)];
  const wholeSince = directions
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
    .filter(({ id }) => id >= wholeSince)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function hasOlder({ received, sent }: ThreadPage): boolean {
  return received.pagination.hasNext || sent.pagination.hasNext;
}

/** With what has happened since to the messages of this number. */
export function addToThread(thread: ThreadPages, messages: readonly Message[]): ThreadPages {
  const known = new Set(joinThread(thread).map(({ id }) => id));
  const byId = new Map(messages.map((message) => [message.id, message]));
  const update = (list: MessageList): MessageList => ({
    ...list,
    messages: list.messages.map((message) => {
      const told = byId.get(message.id);
      return told === undefined ? message : newerOf(message, told);
    }),
  });
  const [first, ...others] = thread.pages.map(({ received, sent }) => ({
    received: update(received),
    sent: update(sent),
  }));
  if (first === undefined) return thread;
  for (const message of messages) {
    if (known.has(message.id)) continue;
    const list = message.direction === 'inbound' ? first.received : first.sent;
    list.messages.unshift(message);
  }
  return { ...thread, pages: [first, ...others] };
}
