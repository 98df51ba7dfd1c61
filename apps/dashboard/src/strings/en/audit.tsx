import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// audit-trail.tsx
export const operator = 'The operator';
export const auditTrail = 'Audit trail';
export const auditTrailAbout = 'Who changed what, newest first.';
export const noChangesYet = 'No changes yet';
export const noChangesYetHint = 'Changes to the settings appear here.';
export const entryCount = (count: number) =>
  plural(count, { one: `${formatCount(count)} entry`, other: `${formatCount(count)} entries` });
export const byApiKey = ({ name, hint }: { name: ReactNode; hint: Wrap }) => (
  <>
    {name}
    {hint(' (API key)')}
  </>
);

// describe-entry.ts: what an actor did
export const createdWorkspace = ({ who, name }: By & Named) => (
  <>
    {who} created the workspace {name}.
  </>
);
export const renamedWorkspace = ({ who, from, to }: By & Changed) => (
  <>
    {who} renamed the workspace from {from} to {to}.
  </>
);
export const setCountry = ({ who, country }: By & { country: string }) => (
  <>
    {who} set the country of the workspace to {country}.
  </>
);
export const closedWorkspace = (who: ReactNode) => <>{who} closed the workspace.</>;
export const changedEncoding = ({ who, isPlain }: By & { isPlain: boolean }) =>
  isPlain ? (
    <>{who} let quotes, dashes and the like in texts be replaced with plain characters.</>
  ) : (
    <>{who} let texts be sent as they are written.</>
  );
export const removedCountry = (who: ReactNode) => <>{who} removed the country of the workspace.</>;
export const addedMember = ({ who, email, role }: By & Member) => (
  <>
    {who} added {email} as {roles[role] ?? role}.
  </>
);
export const invitedMember = ({ who, email, role }: By & Member) => (
  <>
    {who} invited {email} as {roles[role] ?? role}.
  </>
);
export const withdrewInvitation = ({ who, email }: By & { email: string }) => (
  <>
    {who} withdrew the invitation for {email}.
  </>
);
export const acceptedInvitation = ({ who, role }: By & { role: string }) => (
  <>
    {who} accepted the invitation as {roles[role] ?? role}.
  </>
);
export const changedRole = ({ who, email, from, to }: By & Changed & { email: string }) => (
  <>
    {who} changed the role of {email} from {roles[from] ?? from} to {roles[to] ?? to}.
  </>
);
export const removedMember = ({ who, email }: By & { email: string }) => (
  <>
    {who} removed {email} from the workspace.
  </>
);
export const requestedErasure = ({ who }: By) => <>{who} requested to erase a person.</>;
export const leftWorkspace = ({ who }: By) => <>{who} left the workspace.</>;
export const changedPassword = ({ who }: By) => <>{who} changed their password.</>;
export const resetPassword = ({ who, byOperator }: By & { byOperator: boolean }) => (
  <>
    {who} reset their password with a link{' '}
    {byOperator ? 'that the operator created' : 'from a mail'}.
  </>
);
export const createdResetLink = ({ who, email }: By & { email: string }) => (
  <>
    {who} created a link to reset the password of {email}.
  </>
);
export const requestedEmailChange = ({ who, from, to }: By & Changed) => (
  <>
    {who} asked to change their email address from {from} to {to}.
  </>
);
export const changedEmail = ({ who, from, to }: By & Changed) => (
  <>
    {who} changed their email address from {from} to {to}.
  </>
);
export const fromAddress = (address: string) => `from ${address}`;
export const createdKey = ({ who, name }: By & Named) => (
  <>
    {who} created the API key {name}.
  </>
);
export const rotatedKey = ({ who, name }: By & Named) => (
  <>
    {who} replaced the secret of the API key {name}.
  </>
);
export const keyScope = (scope: string) =>
  scope === '*' ? 'may do everything' : `may use ${scope}`;
export const keyAddress = (network: string) => `from ${network}`;
export const keyExpires = (time: string) => `expires ${time}`;
export const earlierSecretsEnd = (time: string) => `earlier secrets end ${time}`;
export const revokedKey = ({ who, name }: By & Named) => (
  <>
    {who} revoked the API key {name}.
  </>
);
export const savedAccount = ({ who, vendor, name }: By & Account) => (
  <>
    {who} saved the {vendor} account {name}.
  </>
);
export const removedAccount = ({ who, vendor, name }: By & Account) => (
  <>
    {who} removed the {vendor} account {name}.
  </>
);
export const changedRouting = ({ who }: By) => <>{who} changed the routing.</>;
export const addedSender = ({ who, number }: By & Numbered) => (
  <>
    {who} added the sender {number}.
  </>
);
export const changedSender = ({ who, number }: By & Numbered) => (
  <>
    {who} changed the sender {number}.
  </>
);
export const removedSender = ({ who, number }: By & Numbered) => (
  <>
    {who} removed the sender {number}.
  </>
);
export const addedOptOut = ({ who, number }: By & Numbered) => (
  <>
    {who} added an opt-out for {number}.
  </>
);
export const removedOptOut = ({ who, number }: By & Numbered) => (
  <>
    {who} removed the opt-out for {number}.
  </>
);
export const changedReplies = ({ who }: By) => <>{who} changed the keyword replies.</>;
export const addedSavedReply = ({ who, name }: By & { name: string }) => (
  <>
    {who} added the saved reply {name}.
  </>
);
export const changedSavedReply = ({ who, name }: By & { name: string }) => (
  <>
    {who} changed the saved reply {name}.
  </>
);
export const removedSavedReply = ({ who, name }: By & { name: string }) => (
  <>
    {who} removed the saved reply {name}.
  </>
);
export const mergedContact = ({
  who,
  merged,
  number,
}: By & Numbered & { merged: string | null }) => (
  <>
    {who} merged the contact of {merged ?? 'another number'} into that of {number}.
  </>
);
export const editedNote = ({ who, number }: By & Numbered) => (
  <>
    {who} edited a note about {number}.
  </>
);
export const removedNote = ({ who, author, number }: By & Numbered & { author: string | null }) => (
  <>
    {who} removed a note by {author ?? 'a former member'} about {number}.
  </>
);
export const addedEndpoint = ({ who, url }: By & { url: string }) => (
  <>
    {who} added the webhook endpoint {url}.
  </>
);
export const changedEndpoint = ({ who }: By) => <>{who} changed a webhook endpoint.</>;
export const replacedSecret = ({ who }: By) => (
  <>{who} replaced the secret of a webhook endpoint.</>
);
export const disabledEndpoint = ({ who, url }: By & { url: string }) => (
  <>
    {who} disabled the webhook endpoint {url}.
  </>
);
export const deletedEndpoint = ({ who, url }: By & { url: string }) => (
  <>
    {who} deleted the webhook endpoint {url}.
  </>
);

// describe-entry.ts: what else an entry records
export const reason = (text: string) => `Reason: ${text}`;
export const secretEndsWith = (last4: string) => `Secret ends with ${last4}`;
export const onUnknown = {
  resend: 'After an unknown outcome: send once more',
  fail: 'After an unknown outcome: mark as failed',
};
export const switchedOff = 'Switched off';
export const enabled = 'Enabled';
export const disabled = 'Disabled';
export const senderName = (name: string) => `Name: ${quote(name)}`;
export const defaultSender = 'Default sender';
export const account = (name: string | null) => `Account: ${accountName(name)}`;
export const noRules = 'No rules';
export const ruleForAll = (accounts: readonly Weighted[]) =>
  `All numbers: ${listAccounts(accounts)}`;
export const ruleFor = ({ prefix, accounts }: { prefix: string; accounts: readonly Weighted[] }) =>
  `Numbers from ${prefix}: ${listAccounts(accounts)}`;
export const failoverOn = 'Use another account when one is unavailable: yes';
export const failoverOff = 'Use another account when one is unavailable: no';
export const wordsFor = (keyword: string) => `Your words for ${keyword}`;
export const changedReply = ({ keyword, from, to }: Reply) =>
  `${keyword}: from ${replyText(from)} to ${replyText(to)}`;
export const allEvents = 'All events';
export const events = (types: string) => `Events: ${types}`;
export const url = (address: string) => `URL: ${address}`;
export const text = (body: string) => `Text: ${quote(body)}`;
export const description = (text: string) => `Description: ${quote(text)}`;
export const oldSecretEnded = 'The old secret stopped working immediately';
export const oldSecretValid = (hours: number) =>
  plural(hours, {
    one: `The old secret was valid for ${formatCount(hours)} more hour`,
    other: `The old secret was valid for ${formatCount(hours)} more hours`,
  });

type Wrap = (text: string) => ReactNode;

/** Each sentence begins with the actor. */
interface By {
  who: ReactNode;
}

interface Named {
  name: string;
}

interface Numbered {
  number: string;
}

interface Changed {
  from: string;
  to: string;
}

interface Member {
  email: string;
  role: string;
}

interface Account {
  vendor: string;
  name: string;
}

/** An account of a routing rule. */
interface Weighted {
  /** Null if the account was removed. */
  name: string | null;
  /** Null if the rule has no other account. */
  weight: number | null;
}

/** The texts before and after the change. Null stands for the built-in text. */
interface Reply {
  keyword: string;
  from: string | null;
  to: string | null;
}

const roles: Readonly<Record<string, string>> = { owner: 'owner', member: 'member' };
const quote = (text: string) => `“${text}”`;
const replyText = (text: string | null) => (text === null ? 'the built-in text' : quote(text));
const accountName = (name: string | null) => name ?? 'a removed account';
const listAccounts = (accounts: readonly Weighted[]) =>
  accounts
    .map(({ name, weight }) =>
      weight === null ? accountName(name) : `${accountName(name)} (weight ${formatCount(weight)})`,
    )
    .join(', ');
