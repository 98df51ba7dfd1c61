import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// account-settings.tsx
export const changePassword = 'Change password';
export const currentPassword = 'Current password';
export const newPassword = 'New password';
export const newPasswordHint = 'At least 12 characters.';
export const passwordChanged = 'Password changed. Your other sessions have ended.';

// email-settings.tsx
export const emailAddress = 'Email address';
export const changeEmail = 'Change email address';
export const newEmail = 'New email address';
export const newEmailHint =
  'The new address receives a link. Your present address stays in use until you open it.';
export const emailNeedsMail =
  'This installation sends no mail, so a new address can’t be confirmed.';
export const emailFollowsSignOn =
  'You sign in with single sign-on. If your address changes there, it changes here at your next sign-in.';
export const emailIsConfirmed = (email: string) => <>{email} · confirmed</>;
export const emailIsNotConfirmed = (email: string) => <>{email} · not confirmed</>;
export const emailIsPending = (email: string) => (
  <>
    A link was sent to {email}. Open it to use this address. To cancel, enter your present address
    again.
  </>
);

// notification-settings.tsx
export const notifications = 'Notifications';
export const notificationsAbout =
  'For received messages, notes that mention you, and conversations that a colleague assigns to you. These settings apply to this browser only.';
export const notificationsNotOffered =
  'This browser offers notifications only on secure pages. Open Switchboard at an address that begins with https://.';
export const desktopNotifications = 'Desktop notifications';
export const desktopNotificationsAbout =
  'Shown while no Switchboard tab is visible, and only once if several tabs are open.';
export const notificationsBlocked =
  'This browser blocks notifications from this address. Select the icon beside the address, and allow notifications in the site settings. Then turn them on here.';
export const notificationsOfAppsOnly =
  'This browser shows notifications only for installed apps. Use a browser on a computer.';
export const hideContent = 'Hide names and message text';
export const hideContentAbout = 'A notification shows only that something arrived.';
export const sound = 'Sound';
export const soundAbout =
  'Two short tones, in one tab. A browser plays sounds only in a tab that you have used since you opened it.';
export const notificationsAreOn = 'Notifications are on';

// session-settings.tsx
export const sessions = 'Sessions';
export const sessionsAbout =
  'The browsers and programs in which you are signed in. A session ends after 7 days without use, or at the time shown.';
export const endAllOthers = 'End all others';
export const endAllYourOtherSessions = 'End all your other sessions?';
export const endAllYourOtherSessionsExplained =
  'You stay signed in here. All other browsers and programs are signed out immediately.';
export const noSessions = 'No sessions.';
export const thisSession = 'This session';
export const end = 'End';
export const endSession = (userAgent: string) => `End the session: ${userAgent}`;
export const endThisSession = 'End this session?';
export const endThisSessionExplained = 'That browser or program is signed out immediately.';

export const sessionTimes = ({ signedIn, lastUsed, end }: SessionTimes) => (
  <>
    Signed in {signedIn} · last used {lastUsed} · ends {end}
  </>
);
export const sessionCount = (count: number) =>
  plural(count, { one: `${formatCount(count)} session`, other: `${formatCount(count)} sessions` });

interface SessionTimes {
  signedIn: ReactNode;
  lastUsed: ReactNode;
  end: ReactNode;
}

// describe-user-agent.ts
export const unknownDevice = 'Unknown device';
export const browserOn = ({ browser, system }: { browser: string; system: string }) =>
  `${browser} on ${system}`;
export const aBrowserOn = (system: string) => `A browser on ${system}`;

// sign-on-settings.tsx
export const singleSignOn = 'Single sign-on';
export const connectSignOn = 'Connect single sign-on';
export const disconnectSignOn = 'Disconnect single sign-on';
export const signOnIsNotConnected = 'Not connected. You sign in with your password only.';
export const signOnIsConnected = ({ email, time }: { email: string | null; time: string }) =>
  email === null ? `Connected since ${time}` : `Connected as ${email} since ${time}`;
export const signOnConnected = 'Single sign-on is connected. From now on, you can sign in with it.';
export const noPasswordYet =
  'You sign in with single sign-on only. To use a password too, sign out and select “Forgot your password?”.';
export const passwordsAreOff =
  'Everyone signs in with single sign-on here. Passwords are switched off.';
