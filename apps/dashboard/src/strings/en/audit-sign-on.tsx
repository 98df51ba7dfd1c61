import type { ReactNode } from 'react';

// describe-entry.ts: single sign-on, and links with which users sign in
export const joinedByGroup = ({ who, role }: By & { role: string }) => (
  <>
    {who} joined by single sign-on as {role}.
  </>
);
export const connectedIdentity = ({ who, issuer }: By & { issuer: string }) => (
  <>
    {who} connected single sign-on at {issuer}.
  </>
);
export const removedPassword =
  'The address had not been confirmed before, so the password and all sessions ended.';
export const disconnectedIdentity = ({ who }: By) => <>{who} disconnected single sign-on.</>;
export const createdSignInLink = ({ who, email }: By & { email: string }) => (
  <>
    {who} created a link with which {email} signs in.
  </>
);
export const usedSignInLink = ({ who }: By) => (
  <>{who} signed in with a link that the operator created.</>
);

interface By {
  who: ReactNode;
}
export const keptRole = ({ who, email, role }: By & { email: string; role: string }) => (
  <>
    {who} decided that {email} stays {role}, whatever groups of single sign-on give.
  </>
);
