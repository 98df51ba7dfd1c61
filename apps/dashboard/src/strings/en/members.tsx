import type { Permission } from '@switchboard/contracts';
import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// invite-settings.tsx
export const inviteSomeone = 'Invite someone';
export const role = 'Role';
export const createInvitation = 'Create invitation';
export const copyInvitation = 'Copy invitation';
export const openInvitations = 'Open invitations';
export const openInvitationsAbout =
  'Invitations that have not been accepted. Each link is shown only once.';
export const noOpenInvitations = 'No open invitations.';
export const withdraw = 'Withdraw';
export const withdrawInvitationFor = (email: string) => `Withdraw the invitation for ${email}`;
export const withdrawThisInvitation = 'Withdraw this invitation?';
export const invitationMailed = (email: string) =>
  `A mail with the invitation is on its way to ${email}.`;
export const sendItYourself = (expiry: string) =>
  `If it does not arrive, send this link. Anyone who has it can join the workspace with any account, once, until ${expiry}. It is not shown again.`;
export const sendThisLink = ({ email, expiry }: { email: string; expiry: string }) =>
  `Send this link to ${email}. Anyone who has it can join the workspace with any account, once, until ${expiry}. It is not shown again.`;
export const invitedBy = ({ name, expiry }: { name: ReactNode; expiry: string }) => (
  <>
    Invited by {name} · expires {expiry}
  </>
);
export const withdrawExplained = (email: string) =>
  `The link that you sent to ${email} stops working immediately.`;
export const invitationCount = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} invitation`,
    other: `${formatCount(count)} invitations`,
  });
export const memberCount = (count: number) =>
  plural(count, { one: `${formatCount(count)} member`, other: `${formatCount(count)} members` });

// member-settings.tsx
export const secondFactor = 'Second factor';
export const noSecondFactor = 'No second factor';

// leave-button.tsx
export const leave = 'Leave';
export const leaveThisWorkspace = 'Leave this workspace?';
export const leaveThisWorkspaceExplained =
  'You lose access immediately. To come back, you need a new invitation from an owner.';

// member-settings.tsx
export const members = 'Members';
export const whatRolesMayDo = 'What each role may do';
export const permission = 'Permission';
export const allowed = 'Yes';
export const notAllowed = 'No';
export const permissions: Record<Permission, string> = {
  read: 'Read and export messages, conversations, contacts, statistics and settings',
  send: 'Send, schedule and cancel messages',
  change:
    'Change conversations, notes, contacts, saved replies and views, opt-outs, numbers and the workspace',
  manage: 'Change providers, routing, API keys, webhooks and members, and read the audit trail',
};
export const noMembers = 'No members.';
export const you = 'You';
export const roleOf = (name: string) => `Role of ${name}`;
export const remove = (name: string) => `Remove ${name}`;
export const removeQuestion = (name: string) => `Remove ${name}?`;
export const removeExplained = 'They lose access immediately.';
