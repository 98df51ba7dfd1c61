import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// compose-area.tsx
export const write = 'Write';
export const reply = 'Reply';
export const note = 'Note';
export const hasDraft = 'There is a draft.';
export const viewersOnlyRead =
  'As a viewer you can read this conversation, but not reply. An owner can change your role.';

// conversation-actions.tsx
export const assignedTo = 'Assigned to';
export const unassigned = 'Unassigned';
export const reopen = 'Reopen';
export const markAsUnread = 'Mark as unread';
export const reopensOnMessage = 'A message from this number reopens the conversation.';

// conversation-list.tsx
export const mentions = 'Mentions';
export const noMatchingConversations = 'No matching conversations';
export const noConversationsYet = 'No conversations yet';
export const noConversationsHint = 'Send a message, or wait for one to arrive.';
export const updates = (count: number) =>
  plural(count, { one: `${formatCount(count)} update`, other: `${formatCount(count)} updates` });

// conversation-actions.tsx, thread.tsx
export const print = 'Print';
export const olderIsNotPrinted =
  'Older messages or notes of this conversation are missing here. The button “Print” of the conversation prints all of them.';

// conversation-row.tsx
export const by = (name: string) => `${name}:`;
export const closed = 'Closed';
/** Marks a conversation with a sentence that may be an opt-out. */
export const optOutQuestion = 'Opt-out?';
export const atLeast = (count: number) => `${formatCount(count)}+`;

type Wrap = (text: string) => ReactNode;

// conversations-page.tsx
export const selectConversation = 'Select a conversation.';

// filter-tabs.tsx
export const all = 'All';
export const mine = 'Mine';
export const open = 'Open';
export const openAndClosed = 'Open and closed';
export const searchConversations = 'Search conversations';
export const searchConversationsExample = 'Name or number';
export const assigned = 'Assigned';
export const state = 'State';

// thread-contact.tsx
export const conversationWith = ({ hidden, number }: { hidden: Wrap; number: string }) => (
  <>
    {hidden('Conversation with ')}
    {number}
  </>
);
export const addContact = 'Add contact';
export const contact = 'Contact';

// typing-colleagues.tsx
export const oneTypes = (name: string) => `${name} is typing a reply…`;
export const twoType = ({ first, second }: { first: string; second: string }) =>
  `${first} and ${second} are typing replies…`;
export const manyType = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} colleague is typing a reply…`,
    other: `${formatCount(count)} colleagues are typing replies…`,
  });

// mention-list.tsx
export const noMentions = 'No mentions';
export const noMentionsHint = 'Notes that mention you appear here.';

// note-box.tsx
export const noteExample = 'Note for your team';
export const addNote = 'Add note';
export const noteHint = 'Only members of the workspace can see notes. Type @ to mention a member.';

// note-editor.tsx
export const noteText = 'Note text';

// note-item.tsx
export const thisNoteWasRemoved = 'This note was removed.';
export const edited = 'edited';
export const editThisNote = 'Edit this note';
export const removeThisNote = 'Remove this note';
export const removeThisNoteQuestion = 'Remove this note?';
export const removeThisNoteExplained =
  'The text is deleted for everyone. Your team still sees that there was a note.';
/** Before the text of a note, for screen readers. */
export const noteLabel = 'Note:';

// reply-box.tsx
export const numberOptedOut =
  'This number has opted out, so you can’t reply. It can opt in again by sending START.';
export const noReplyPossible =
  'You can’t reply: this is a short code or a sender ID, and not a phone number.';
export const replyFrom = (number: string) => `Reply from ${number}`;
export const insertSavedReply = 'Insert a saved reply';
export const insertSavedReplyHint = 'Insert a saved reply: type /';
export const sendReply = 'Send reply';
export const scheduleReply = 'Schedule reply';
export const dropFilesToAttachThem = 'Drop the files to attach them.';
export const replyHint = 'Press Enter to send, Shift+Enter for a new line, / for a saved reply.';
export const noMatchingReply = (link: Wrap) => (
  <>No matching saved reply. {link('Manage saved replies')}</>
);

// suspected-opt-out.tsx
export const optOutSuspected =
  'A received message may ask you to stop. If it does, opt the number out: Switchboard then refuses messages to it.';
export const optOut = 'Opt out';
export const noOptOut = 'Not an opt-out';

// thread.tsx
export const backToConversations = 'Back to conversations';
export const showOlderMessages = 'Show older messages';
export const noMessagesYet = 'No messages yet.';

// use-mentions.ts
export const members = 'Members';

// thread-messages.tsx
/** Before the text of a message, for screen readers. */
export const they = 'They:';
export const scheduledFor = (time: string) => `Scheduled for ${time}`;
