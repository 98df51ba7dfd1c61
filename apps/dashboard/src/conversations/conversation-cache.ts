import type { Conversation, ConversationList, Message } from '@switchboard/contracts';
import { newerOf } from '../live/newer-of.ts';

/** Live updates extend the list up to this length, or up to the number of loaded conversations. */
const MAX_KEPT = 200;

/** Returns the number of the other party, or null for an inbound message without a sender. */
export function counterpartOf({ direction, from, to }: Message): string | null {
  return direction === 'inbound' ? from : to;
}

/**
 * Merges messages into the list, latest first. Conversations beyond the maximum length are dropped
 * from the end, and `next` then loads them again.
 */
export function addToConversations(
  list: ConversationList,
  messages: Iterable<Message>,
): ConversationList {
  const byNumber = new Map(list.data.map((each) => [each.number, each]));
  const oldest = list.data.at(-1)?.last_message.id ?? '';
  const changed = new Map<string, Conversation>();
  for (const message of messages) {
    const number = counterpartOf(message);
    if (number === null) continue;
    const cached = (changed.get(number) ?? byNumber.get(number))?.last_message;
    if (cached !== undefined && cached.id > message.id) continue;
    // The conversation of an older message is further down and not loaded.
    if (cached === undefined && list.next !== null && message.id < oldest) continue;
    const last_message = cached?.id === message.id ? newerOf(cached, message) : message;
    changed.set(number, { number, last_message });
  }
  if (changed.size === 0) return list;

  const merged = mergeLatestFirst(
    [...changed.values()].sort((a, b) => (isLater(a, b) ? -1 : 1)),
    list.data.filter(({ number }) => !changed.has(number)),
  );
  const data = merged.slice(0, Math.max(MAX_KEPT, list.data.length));
  const isCut = data.length < merged.length;
  return { data, next: isCut ? (data.at(-1)?.last_message.id ?? null) : list.next };
}

/** Appends the next page, without conversations that have moved up since. */
export function appendConversations(
  list: ConversationList,
  { data, next }: ConversationList,
): ConversationList {
  const loaded = new Set(list.data.map(({ number }) => number));
  return { data: [...list.data, ...data.filter(({ number }) => !loaded.has(number))], next };
}

const isLater = (a: Conversation, b: Conversation): boolean =>
  a.last_message.id > b.last_message.id;

function mergeLatestFirst(a: readonly Conversation[], b: readonly Conversation[]): Conversation[] {
  const merged: Conversation[] = [];
  let taken = 0;
  for (const each of b) {
    for (let next = a[taken]; next !== undefined && isLater(next, each); next = a[taken]) {
      merged.push(next);
      taken += 1;
    }
    merged.push(each);
  }
  return [...merged, ...a.slice(taken)];
}
