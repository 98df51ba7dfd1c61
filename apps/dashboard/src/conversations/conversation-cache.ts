import {
  type Conversation,
  type ConversationList,
  type Message,
  UNREAD_MAX,
} from '@switchboard/contracts';
import { newerOf } from '../live/newer-of.ts';

/** Live updates extend the list up to this length, or up to the number of loaded conversations. */
const MAX_KEPT = 200;

/** Returns the number of the other party, or null for an inbound message without a sender. */
export function counterpartOf({ direction, from, to }: Message): string | null {
  return direction === 'inbound' ? from : to;
}

/** Returns the conversation with a message that is new or has changed. */
function withMessage(cached: Conversation | undefined, message: Message): Conversation {
  const isReceived = message.direction === 'inbound';
  if (cached === undefined) {
    const number = counterpartOf(message) ?? '';
    const unread_count = isReceived ? 1 : 0;
    return {
      number,
      last_message: message,
      contact: null,
      unread_count,
      assignee: null,
      state: 'open',
      // The next fetch shows an opt-out of an earlier conversation.
      opted_out: false,
      opt_out_suspected: false,
    };
  }
  if (cached.last_message.id === message.id) {
    return { ...cached, last_message: newerOf(cached.last_message, message) };
  }
  if (!isReceived) return { ...cached, last_message: message };
  const unread_count = Math.min(cached.unread_count + 1, UNREAD_MAX);
  return { ...cached, last_message: message, unread_count, state: 'open' };
}

/**
 * Merges messages into the list, latest first. Conversations beyond the maximum length are dropped
 * from the end, and `next` then loads them again.
 *
 * @param isAdded returns whether the list shows an unlisted conversation with this message
 */
export function addToConversations(
  list: ConversationList,
  messages: Iterable<Message>,
  isAdded: (message: Message) => boolean = () => true,
): ConversationList {
  const byNumber = new Map(list.data.map((each) => [each.number, each]));
  const oldest = list.data.at(-1)?.last_message.id ?? '';
  const changed = new Map<string, Conversation>();
  for (const message of messages) {
    const number = counterpartOf(message);
    if (number === null) continue;
    const cached = changed.get(number) ?? byNumber.get(number);
    if (cached !== undefined && cached.last_message.id > message.id) continue;
    if (cached === undefined && !isAdded(message)) continue;
    // The conversation of an older message is further down and not loaded.
    if (cached === undefined && list.next !== null && message.id < oldest) continue;
    changed.set(number, withMessage(cached, message));
  }
  return changed.size === 0 ? list : mergeChanged(list, changed);
}

/** Replaces a listed conversation, or removes it if `isListed` is false. */
export function putConversation(
  list: ConversationList,
  conversation: Conversation,
  isListed: boolean,
): ConversationList {
  const { number } = conversation;
  if (!isListed) return { ...list, data: list.data.filter((each) => each.number !== number) };
  if (!list.data.some((each) => each.number === number)) return list;
  return mergeChanged(list, new Map([[number, conversation]]));
}

function mergeChanged(
  list: ConversationList,
  changed: ReadonlyMap<string, Conversation>,
): ConversationList {
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
