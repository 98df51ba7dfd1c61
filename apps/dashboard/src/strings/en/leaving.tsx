import type { ReactNode } from 'react';

// close-workspace.tsx
export const closeWorkspace = 'Close workspace';
export const closeWorkspaceMenu = 'Close workspace…';
export const closeWorkspaceAbout =
  'Ends the access of all members and API keys, and deletes all data.';
export const closeWorkspaceQuestion = 'Close this workspace?';
export const whatCloses =
  'All members and API keys lose access immediately, also in test mode. Messages that were not sent yet are canceled, and replies are refused.';
export const whatIsDeleted =
  'Messages, conversations, contacts, opt-outs, numbers, provider accounts and the audit trail are deleted when the messages in flight have an outcome and your webhooks have received the last events, within a day. This can’t be undone.';
export const exportFirst = ({
  messages,
  contacts,
}: {
  messages: (text: string) => ReactNode;
  contacts: (text: string) => ReactNode;
}) => (
  <>
    To keep anything, first export the {messages('messages')} and the {contacts('contacts')}.
  </>
);
export const typeTheName = (name: string) => `Type ${name} to confirm`;
