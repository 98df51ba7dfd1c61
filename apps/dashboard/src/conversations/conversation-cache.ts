import type { Conversation, ConversationList, Message } from '@switchboard/contracts';
import { newerOf } from '../live/newer-of.ts';

/** However much happens, no more conversations are kept than this, or than were loaded. */
const KEPT = 200;

/** The number outside the workspace; null while nobody has been chosen to send from. */
export function counterpartOf({ direction, from, to }: Message): string | null {
  return direction === 'inbound' ? from : to;
}

/**
 * The list, latest first, with what has happened since: a later message of a number is its last one
 * from then on. What no longer fits at the end is dropped, to be loaded again from there.
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
    const known = (changed.get(number) ?? byNumber.get(number))?.last_message;
    if (known !== undefined && known.id > message.id) continue;
    // An older message of a number that stands further down than what is loaded.
    if (known === undefined && list.next !== null && message.id < oldest) continue;
    const last_message = known?.id === message.id ? newerOf(known, message) : message;
    changed.set(number, { number, last_message });
  }
  if (changed.size === 0) return list;

  const merged = mergeLatestFirst(
    [...changed.values()].sort((a, b) => (isLater(a, b) ? -1 : 1)),
    list.data.filter(({ number }) => !changed.has(number)),
  );
  const data = merged.slice(0, Math.max(KEPT, list.data.length));
  const isCut = data.length < merged.length;
  return { data, next: isCut ? (data.at(-1)?.last_message.id ?? null) : list.next };
}

/** With the page after its end; a number that has come up meanwhile stays where it is. */
export function appendConversations(
  list: ConversationList,
  { data, next }: ConversationList,
): ConversationList {
  const known = new Set(list.data.map(({ number }) => number));
  return { data: [...list.data, ...data.filter(({ number }) => !known.has(number))], next };
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
