import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// compose-area.tsx
export const write = 'Write';
export const reply = 'Reply';
export const note = 'Note';

// conversation-actions.tsx
export const assignedTo = 'Assigned to';
export const unassigned = 'Unassigned';
export const reopen = 'Reopen';
export const markAsUnread = 'Mark as unread';
export const reopensOnMessage = 'A message from this number reopens it.';

// conversation-list.tsx
export const mentions = 'Mentions';
export const noMatchingConversations = 'No matching conversations';
export const noConversationsYet = 'No conversations yet';
export const noConversationsHint = 'Send a message, or wait for one to arrive.';
export const updates = (count: number) =>
  plural(count, { one: `${formatCount(count)} update`, other: `${formatCount(count)} updates` });

// conversation-row.tsx
export const you = 'You:';
export const closed = 'Closed';
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
