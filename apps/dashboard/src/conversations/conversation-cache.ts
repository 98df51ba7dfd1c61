import type { Conversation, ConversationList, Message } from '@switchboard/contracts';
import type { InfiniteData } from '@tanstack/react-query';
import { newerOf } from '../live/newer-of.ts';

export type ConversationPages = InfiniteData<ConversationList, string | null>;

/** The number outside the workspace; null while nobody has been chosen to send from. */
export function counterpartOf({ direction, from, to }: Message): string | null {
  return direction === 'inbound' ? from : to;
}

/** All that is loaded, each number once and the latest first, though pages may have shifted. */
export function listConversations(pages: Pick<ConversationPages, 'pages'>): Conversation[] {
  const byNumber = new Map<string, Conversation>();
  for (const conversation of pages.pages.flatMap(({ data }) => data)) {
    const known = byNumber.get(conversation.number);
    if (known === undefined || known.last_message.id < conversation.last_message.id) {
      byNumber.set(conversation.number, conversation);
    }
  }
  return [...byNumber.values()].sort((a, b) => (a.last_message.id < b.last_message.id ? 1 : -1));
}

/** With what has happened since: a later message of a number is its last one from then on. */
export function addToConversations(
  pages: ConversationPages,
  messages: Iterable<Message>,
): ConversationPages {
  const byNumber = new Map(listConversations(pages).map((each) => [each.number, each]));
  const changed: Conversation[] = [];
  for (const message of messages) {
    const number = counterpartOf(message);
    if (number === null) continue;
    const known = byNumber.get(number)?.last_message;
    if (known !== undefined && known.id > message.id) continue;
    const last_message = known?.id === message.id ? newerOf(known, message) : message;
    const conversation = { number, last_message };
    byNumber.set(number, conversation);
    changed.push(conversation);
  }
  const [first, ...others] = pages.pages;
  if (first === undefined || changed.length === 0) return pages;
  const numbers = new Set(changed.map(({ number }) => number));
  const keep = (list: ConversationList): ConversationList => ({
    ...list,
    data: list.data.filter(({ number }) => !numbers.has(number)),
  });
  const latest = [...numbers].flatMap((number) => byNumber.get(number) ?? []);
  const kept = keep(first);
  return { ...pages, pages: [{ ...kept, data: [...latest, ...kept.data] }, ...others.map(keep)] };
}
