import type { ReactNode } from 'react';

// invite-page.tsx
export const joinWorkspace = 'Join a workspace';
export const noInvitation =
  'This link contains no invitation. Open the complete link that you received.';
export const chooseAccount =
  'You have been invited to a workspace. You join it with the account that you sign in to or create.';
export const signInToJoin = 'You have been invited to a workspace. Sign in to join it.';
export const createAnAccount = 'Create an account';
export const signIn = 'Sign in';
export const joining = 'Joining…';
export const acceptInvitation = 'Accept invitation';
export const useAnotherAccount = 'Use another account';
export const notNow = 'Not now';

// session-form.tsx
export const staySignedInHint =
  'For up to 30 days. Otherwise, you are signed out after 24 hours, or when you close the last tab. Do not select this on a shared device.';

// sign-in-page.tsx
export const signingIn = 'Signing in…';
export const signInToAccept = 'Sign in to accept the invitation.';

export const enterCode = 'Enter your code';
export const codeHint = 'The 6 digits that your authenticator app now shows.';
export const recoveryCodeHint =
  'One of the codes that you saved when you set up the second factor.';
export const useRecoveryCode = 'Lost your phone? Use a recovery code';
export const useApp = 'Use the authenticator app';
export const lostCodes =
  'No recovery code left? Ask the operator of this installation to remove your second factor.';
export const backToPassword = 'Back';

// sign-up-page.tsx
export const createAccount = 'Create account';
export const creating = 'Creating…';
export const signUpToAccept =
  'You have been invited to a workspace. You join it with the account that you create.';
export const name = 'Name';
export const passwordHint = 'At least 12 characters. A sentence is easier to remember.';

// forgot-password-page.tsx
export const forgotPassword = 'Forgot your password?';
export const forgotPasswordAbout =
  'Enter the email address of your account. You receive a link with which you choose a new password.';
export const sendLink = 'Send link';
export const resetRequested =
  'If an account has this address, a mail with a link is on its way. The link works once, for one hour. Also look in the spam folder.';
export const askOperator =
  'This installation sends no mail. Ask its operator for a link to reset your password.';
export const backToSignIn = 'Back to sign-in';

// reset-password-page.tsx
export const chooseNewPassword = 'Choose a new password';
export const setNewPassword = 'Set new password';
export const resetEndsSessions = 'You are then signed out everywhere.';
export const passwordReset = 'Your password is changed. Sign in with the new one.';
export const incompleteLink = 'This link is incomplete. Open the complete link from the mail.';

// confirm-email-page.tsx
export const confirmEmail = 'Confirm your email address';
export const confirmEmailAbout = 'Confirm that you received the mail with this link.';
export const confirmThisAddress = 'Confirm this address';
export const emailConfirmed = 'Your email address is confirmed.';
export const openSwitchboard = 'Open Switchboard';

export const staySignedIn = 'Stay signed in on this device';
export const signedInAs = (email: ReactNode) => (
  <>You have been invited to a workspace. You are signed in as {email}.</>
);
export const newHere = (link: Wrap) => <>New here? {link('Create an account')}</>;
export const haveAccount = (link: Wrap) => <>Have an account? {link('Sign in')}</>;

type Wrap = (text: string) => ReactNode;

// sign-on.tsx
export const signInWith = (provider: string) => `Sign in with ${provider}`;
export const orWithPassword = 'or with your password';

// link-sign-in.tsx
export const linkFromOperator = 'You received this link from the operator. It works once.';
