import { type Conversation, type Note, toMessage } from '@switchboard/contracts';
import type { StoredConversation, StoredNote } from '@switchboard/database';
import { toContact } from './to-contact.ts';

export function toConversation(conversation: StoredConversation): Conversation {
  const {
    number,
    lastMessage,
    contact,
    unreadCount,
    assignee,
    isClosed,
    isOptedOut,
    isOptOutSuspected,
  } = conversation;
  return {
    number,
    last_message: toMessage(lastMessage),
    contact: contact === null ? null : toContact(contact),
    unread_count: unreadCount,
    assignee,
    state: isClosed ? 'closed' : 'open',
    opted_out: isOptedOut,
    opt_out_suspected: isOptOutSuspected,
  };
}

export function toNote({ createdAt, removedAt, editedAt, ...note }: StoredNote): Note {
  const { id, number, author, body, mentions, mentionRanges } = note;
  return {
    id,
    number,
    author,
    body,
    mentions,
    mention_ranges: mentionRanges,
    created_at: createdAt.toISOString(),
    removed_at: removedAt?.toISOString() ?? null,
    edited_at: editedAt?.toISOString() ?? null,
  };
}
