import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// code-fields.tsx
export const code = 'Code';
export const recoveryCode = 'Recovery code';

// factor-settings.tsx
export const secondFactor = 'Second factor';
export const about =
  'With a second factor, signing in takes your password and a code from an app on your phone. A stolen password is then not enough.';
export const app = 'Authenticator app';
export const isOn = (since: ReactNode) => <>On since {since}</>;
export const turnOff = 'Turn off';
export const turnOffQuestion = 'Turn off the second factor?';
export const turnOffExplained =
  'Your password alone is then enough to sign in. To move to another phone, turn it off here and set it up again.';
export const recoveryCodes = 'Recovery codes';
export const codesLeft = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} code left. It replaces the app once.`,
    other: `${formatCount(count)} codes left. Each replaces the app once.`,
  });
export const fewCodes = 'Create new recovery codes before you have used the last one.';
export const newCodes = 'New codes';
export const newCodesQuestion = 'Create new recovery codes?';
export const newCodesExplained = 'Your present recovery codes stop working.';

// prove-button.tsx
export const anyCodeHint = 'From your authenticator app, or a recovery code.';

// set-up-factor.tsx
export const needsApp =
  'You need an authenticator app, such as Google Authenticator, Aegis, 1Password or Bitwarden.';
export const currentPassword = 'Current password';
export const setUp = 'Set up';
export const scan = 'Scan this QR code with the app.';
export const qrCode = 'QR code for the authenticator app';
export const orType = 'Or enter this secret in the app:';
export const copySecret = 'Copy the secret';
export const openApp = 'Open the app on this device';
export const codeHint = 'The 6 digits that the app now shows.';
export const turnOn = 'Turn on';

// recovery-codes.tsx
export const codesWarning =
  'The second factor is on. Save these codes now: they are not shown again. Each one replaces the app once, for example if you lose your phone.';
export const codesTitle = ({ host, email }: { host: string; email: string }) =>
  `Recovery codes for Switchboard at ${host}, ${email}`;
export const codesFile = (host: string) => `switchboard-recovery-codes-${host}`;
export const copyCodes = 'Copy the recovery codes';
export const download = 'Download';
export const print = 'Print';
export const haveSavedCodes = 'I have saved the codes';

// factor-required-page.tsx
export const required = 'Set up a second factor';
export const requiredBy = (workspace: string) => (
  <>
    <bdi>{workspace}</bdi> is open only to members who sign in with a second factor: a code from an
    app on your phone.
  </>
);
export const openWorkspace = (name: string) => (
  <>
    Open <bdi>{name}</bdi>
  </>
);
export const signOut = 'Sign out';

// describe-entry.ts
export const changedFactorRule = ({ who, required }: By & { required: boolean }) => (
  <>
    {who} {required ? 'required a second factor of' : 'made the second factor optional for'}{' '}
    members.
  </>
);
export const enabledSecondFactor = ({ who }: By) => <>{who} turned on their second factor.</>;
export const disabledSecondFactor = ({ who }: By) => <>{who} turned off their second factor.</>;
export const removedSecondFactor = ({ who, email }: By & { email: string }) => (
  <>
    {who} removed the second factor of {email}.
  </>
);
export const createdRecoveryCodes = ({ who }: By) => <>{who} created new recovery codes.</>;
export const usedRecoveryCode = ({ who }: By) => <>{who} used a recovery code.</>;

interface By {
  who: ReactNode;
}
