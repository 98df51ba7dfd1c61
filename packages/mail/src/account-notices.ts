const DISCONNECT =
  'If it was not you, write to the operator of this service. Where the sign-in page has “Forgot your password?”, that also disconnects it:';

/** What a user reads about the account: the subject, what happened, and what to do if another person did it. */
export const NOTICES = {
  account_closed: [
    'Your Switchboard account was closed',
    'Your Switchboard account was closed, and its password was deleted if it had one. Your name and this address were removed from it, and workspaces of which you were the only member are being deleted.',
    'If it was not you, write to the operator of this service:',
  ],
  identity_connected: [
    'Your account is now connected with single sign-on',
    'Your Switchboard account was connected with a user of the identity provider, who can now sign in to it.',
    DISCONNECT,
  ],
  identity_disconnected: [
    'Your account is no longer connected with single sign-on',
    'Your Switchboard account was disconnected from the identity provider. Sessions that began there were signed out.',
    'If it was not you, change your password now if you have one, and write to the operator of this service:',
  ],
  second_factor_enabled: [
    'Your account now has a second factor',
    'A second factor was turned on for your Switchboard account. From now on, signing in takes your password and a code from your authenticator app. All other sessions were signed out.',
  ],
  second_factor_disabled: [
    'Your account no longer has a second factor',
    'The second factor of your Switchboard account was turned off. From now on, your password alone is enough to sign in.',
  ],
  recovery_codes_created: [
    'Your account has new recovery codes',
    'New recovery codes were created for your Switchboard account. The earlier ones no longer work.',
  ],
  recovery_code_used: [
    'A recovery code of your account was used',
    'Someone used your password and a recovery code for your Switchboard account. The code does not work again.',
  ],
  second_factor_failures: [
    'Someone knows your Switchboard password',
    'Someone entered your right password and then many wrong codes of your second factor. They did not get in. For up to a day, or until you have a new password, codes of your authenticator app are refused. Recovery codes still work.',
  ],
} as const satisfies Record<string, [subject: string, happened: string, advice?: string]>;

export type NoticeKind = keyof typeof NOTICES;
