// sign-on-failure.tsx
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
