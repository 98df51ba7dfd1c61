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
  'Messages, conversations, contacts, opt-outs, numbers, provider accounts and the audit trail are deleted when the messages in flight have an outcome and your webhooks have received the last events, within a day. Delivery reports that arrive later are not recorded. This can’t be undone.';
export const exportFirst = ({
  messages,
  contacts,
  audit,
}: {
  messages: (text: string) => ReactNode;
  contacts: (text: string) => ReactNode;
  audit: (text: string) => ReactNode;
}) => (
  <>
    To keep anything, first export the {messages('messages')}, the {contacts('contacts')} and the{' '}
    {audit('audit trail')}.
  </>
);
export const typeTheName = (name: string) => `Type ${name} to confirm`;

// close-account.tsx
export const closeAccount = 'Close account';
export const closeAccountAbout =
  'You leave all workspaces, and this account can no longer sign in.';
export const closeAccountMenu = 'Close account…';
export const closeAccountQuestion = 'Close your account?';
export const whatAccountCloses =
  'You leave all workspaces. Those of which you are the only member are closed, and their data is deleted. Your sessions end, and your name and email address are removed. Messages keep the name that they were sent with, and audit trails what they have recorded. This can’t be undone.';
export const typeTheEmail = (email: string) => `Type ${email} to confirm`;
export const codeOrRecoveryCode = 'Code of your app, or a recovery code';
