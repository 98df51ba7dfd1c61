import type { FoundMessages, Message } from '@switchboard/contracts';
import type { InfiniteData } from '@tanstack/react-query';
import { newerOf } from '../live/newer-of.ts';

/** Pages of messages, newest first. Each begins after the id before it. */
export type ThreadPages = InfiniteData<FoundMessages, string | null>;

/** Returns the messages of a thread, oldest first. */
export function joinThread({ pages }: Pick<ThreadPages, 'pages'>): Message[] {
  const byId = new Map(pages.flatMap(({ data }) => data).map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Adds new messages to the thread and updates changed ones. */
export function addToThread(thread: ThreadPages, messages: readonly Message[]): ThreadPages {
  const shown = new Set(joinThread(thread).map(({ id }) => id));
  const byId = new Map(messages.map((message) => [message.id, message]));
  const update = (message: Message): Message => {
    const received = byId.get(message.id);
    return received === undefined ? message : newerOf(message, received);
  };
  const [first, ...others] = thread.pages.map((page) => ({
    ...page,
    data: page.data.map(update),
  }));
  if (first === undefined) return thread;
  // An older message, which has changed, comes with its page.
  const oldest = others.at(-1) ?? first;
  const isLoaded = ({ id }: Message) => oldest.next === null || id > oldest.next;
  const added = messages.filter((message) => !shown.has(message.id) && isLoaded(message));
  return { ...thread, pages: [{ ...first, data: [...added, ...first.data] }, ...others] };
}
