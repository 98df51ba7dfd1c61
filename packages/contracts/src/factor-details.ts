/** What a request with a right password and without a code is refused with. The dashboard then asks for the code. */
export const FACTOR_REQUIRED = 'Second factor required';

/** What a request with a password and a code is refused with. */
export const FACTOR_DETAILS = {
  wrongTotpCode:
    '`totp_code` must be the present code of your authenticator app. Each code works once: wait for the next one',
  wrongRecoveryCode: '`recovery_code` must be a recovery code of yours that was not used before',
  missingPassword:
    'Missing required parameter: `password`, because this session began more than 10 minutes ago',
  noPassword:
    'You sign in by single sign-on, whose provider asks for a second factor. Set a password first to have one here',
  onlyOwner:
    'Insufficient permissions for the resource: only an owner may change `require_second_factor`',
  onlyLive:
    'Insufficient permissions for the resource: test mode has the members of the live workspace. Change `require_second_factor` there',
  ownFirst:
    'Insufficient permissions for the resource: set up a second factor for yourself before you require it of the members',
  wrongPassword: '`password` must be the current password',
  wrongCode:
    '`code` must be the present code of your authenticator app, or a recovery code. Each works once: wait for the next one',
  tooManyCodes: 'Too many wrong codes for this account; try again later, or use a recovery code',
} as const;
