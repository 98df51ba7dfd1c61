import type { ReactNode } from 'react';

// invite-page.tsx
export const joinWorkspace = 'Join a workspace';
export const noInvitation =
  'This link contains no invitation. Open the complete link that you received.';
export const chooseAccount =
  'You have been invited to a workspace. You join it with the account that you sign in to or create.';
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
export const signOnErrors = {
  not_configured: 'Single sign-on is not set up. Sign in with your password.',
  provider_unavailable:
    'The sign-in service of your organization does not respond. Try again in a moment.',
  provider_misconfigured:
    'Single sign-on is not set up correctly. Ask the operator of this installation.',
  refused_by_provider:
    'The sign-in service of your organization refused the sign-in. Ask its administrator.',
  access_denied:
    'The sign-in was canceled, or the sign-in service of your organization does not allow it.',
  expired: 'This sign-in has expired, or was started in another browser. Sign in again.',
  invalid_response:
    'The response of the sign-in service could not be verified. Sign in again. If this repeats, ask the operator of this installation.',
  unverified_email:
    'Your email address is not verified at the sign-in service. Verify it there, then sign in again.',
  unconfirmed_account:
    'An account with your email address exists, but the address was never confirmed. Sign in with your password and connect single sign-on in your account settings, or reset the password first.',
  sign_up_closed: 'You have no account here yet. Ask an owner of your workspace for an invitation.',
  other_identity:
    'Your account is connected with another user of the sign-in service. Ask the operator of this installation.',
  second_factor:
    'Your account has a second factor, which this sign-in would not ask for. Sign in with your password, turn the factor off in your account settings, and connect there.',
  identity_in_use: 'This user of the sign-in service is connected with another account already.',
  too_many_groups:
    'The sign-in service did not send your groups, because there are too many. Ask its administrator.',
  rate_limited: 'Too many attempts. Try again in a few minutes.',
  internal_error: 'Something went wrong here. Try again in a moment.',
};

// link-sign-in.tsx
export const linkFromOperator = 'You received this link from the operator. It works once.';
